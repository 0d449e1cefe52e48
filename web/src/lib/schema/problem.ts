import type { Schemas } from "@/lib/api/client";

/** Something that the strict check says about a schema. */
export type Problem = Schemas["CheckOut"]["errors"][number];
