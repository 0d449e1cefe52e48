import { useMedia } from "@/lib/media";

/** Which columns the window has room for. What has no column of its own stands below the name. */
export interface Room {
  forState: boolean;
  forAll: boolean;
  forUploader: boolean;
}

export function useRoom(): Room {
  return {
    forState: useMedia("(min-width: 48rem)"),
    forAll: useMedia("(min-width: 64rem)"),
    forUploader: useMedia("(min-width: 80rem)"),
  };
}
