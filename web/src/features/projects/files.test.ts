import { describe, expect, it } from "vitest";

import { dropped, pathed } from "./files";

/** A folder or file as browsers hand it over: a few children at a time. */
function entry(fullPath: string, children?: FileSystemEntry[]): FileSystemEntry {
  const name = fullPath.slice(fullPath.lastIndexOf("/") + 1);
  if (!children) return { fullPath, name, isDirectory: false, file: (done: (file: File) => void) => done(new File(["text"], name)) } as never;
  const left = [...children];
  const readEntries = (done: (some: FileSystemEntry[]) => void) => done(left.splice(0, 2));
  return { fullPath, name, isDirectory: true, createReader: () => ({ readEntries }) } as never;
}

function items(...entries: (FileSystemEntry | File)[]): DataTransferItemList {
  return entries.map((one) => ({
    webkitGetAsEntry: () => (one instanceof File ? null : one),
    getAsFile: () => (one instanceof File ? one : null),
  })) as never;
}

const paths = (files: { path: string }[]) => files.map(({ path }) => path);

describe("files to import", () => {
  it("are those of a dropped folder and of the folders in it, without hidden ones", async () => {
    const many = Array.from({ length: 5 }, (_, at) => entry(`/notes/${at}.md`));
    const git = entry("/notes/.git", [entry("/notes/.git/config.md")]);
    const guides = entry("/notes/guides", [entry("/notes/guides/Start.md")]);
    const found = await dropped(items(entry("/notes", [...many, git, guides]), new File(["x"], "loose.md")));
    expect(paths(found)).toEqual(["notes/0.md", "notes/1.md", "notes/2.md", "notes/3.md", "notes/4.md", "notes/guides/Start.md", "loose.md"]);
  });

  it("are sent with what is in them only if that is read", () => {
    const found = pathed([new File(["text"], "a.md"), new File(["bytes"], "film.mp4"), new File(["x"], ".DS_Store")]);
    expect(found.map(({ path, file }) => [path, file.size])).toEqual([
      ["a.md", 4],
      ["film.mp4", 0],
    ]);
  });

  it("are no more than one too many, however much a folder holds", async () => {
    const many = Array.from({ length: 3000 }, (_, at) => entry(`/notes/${at}.md`));
    expect(await dropped(items(entry("/notes", many)))).toHaveLength(1001);
  });
});
