import { page as activity } from "@/features/activity/page";
import { page as documents } from "@/features/documents/page";
import { editor as form, page as forms } from "@/features/forms/page";
import { page as inbox } from "@/features/inbox/page";
import { newProject, page as projects } from "@/features/projects/page";
import { page as review } from "@/features/review/page";
import { page as settings, section } from "@/features/settings/page";
import { page as sheets } from "@/features/sheets/page";
import { page as tags } from "@/features/tags/page";
import { accuracy } from "@/features/versioned/accuracy/page";
import { newPrompt, onePrompt, page as prompts } from "@/features/versioned/prompts/page";
import { newSchema, oneSchema, page as schemas } from "@/features/versioned/schemas/page";
import type { Page } from "@/lib/pages";

import { page as document } from "./document/page";
import { page as home } from "./home/page";
import { page as project } from "./project/page";
import { page as proposals } from "./proposals/page";
import { page as reviewDesk } from "./review/page";
import { page as sheet } from "./sheet/page";

/** The words of the top bar. Everything else is inside them, and in the palette. */
export const BAR: readonly Page[] = [home, documents, sheets, projects, settings];

/** Every page of an organisation: one line each. */
export const PAGES: Page[] = [
  home,
  documents,
  document,
  proposals,
  sheets,
  sheet,
  review,
  reviewDesk,
  projects,
  newProject,
  project,
  inbox,
  tags,
  forms,
  form,
  activity,
  schemas,
  newSchema,
  oneSchema,
  prompts,
  newPrompt,
  onePrompt,
  accuracy,
  settings,
  section,
];

/** Where one is made, outside of all of them. */
export const NEW_ORGANIZATION = "/organisations/new";

/** Where an organisation opens. */
export const HOME = home;
