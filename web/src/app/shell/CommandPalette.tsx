import { useNavigate } from "@tanstack/react-router";
import { useId, useState } from "react";

import { Dialog } from "@/components/Dialog";
import { Kbd } from "@/components/Kbd";
import { Passage } from "@/components/Passage";
import { useOrganizations } from "@/lib/api/organizations";
import { KIND_WORDS, placeOf, useFound } from "@/lib/api/search";
import type { Found } from "@/lib/api/search";
import { signOut, useUser } from "@/lib/api/session";
import { matching, useAllCommands, useCommands } from "@/lib/commands";
import type { Command } from "@/lib/commands";
import { cx } from "@/lib/cx";
import { t } from "@/lib/i18n";
import { nameFor, useOrganization, useOrgPath } from "@/lib/organization";
import { useSettled } from "@/lib/settled";
import { useShortcut } from "@/lib/shortcuts";
import { useStore } from "@/lib/store";
import { choose } from "@/lib/theme";
import { visitAgain } from "@/lib/visits";

import { openHelp, openPalette, paletteOpen } from "./panels";
import { useGo } from "./useGo";
import { useNavigation } from "./useNavigation";

import type { KeyboardEvent } from "react";

const TYPING_MS = 200;
const FINDINGS = 12;

interface Option extends Command {
  /** What was found by the words. */
  found?: Found;
}

/** Everything that can be done from here, found by typing. */
export function CommandPalette() {
  const open = useStore(paletteOpen);
  useShellCommands();
  useShortcut({ keys: "Mod+K", does: t("shell.findACommandOrAnythingElse"), group: t("common.everywhere") }, openPalette);
  const close = (): void => paletteOpen.set(false);
  return (
    <Dialog bare open={open} onClose={close} title={t("shell.findACommandOrAnythingElse")}>
      <Finder onDone={close} />
    </Dialog>
  );
}

function Finder({ onDone }: { onDone: () => void }) {
  const [typed, setTyped] = useState("");
  const [active, setActive] = useState(0);
  const id = useId();
  const { options, isSearching } = useFoundOptions(typed);
  const found: Option[] = [...matching(useAllCommands(), typed), ...options];
  const run = (command: Command | undefined): void => {
    if (!command) return;
    onDone();
    command.run();
  };
  const press = (event: KeyboardEvent): void => {
    if (event.key === "Enter") run(found[active]);
    else if (event.key === "ArrowDown") setActive(Math.min(active + 1, found.length - 1));
    else if (event.key === "ArrowUp") setActive(Math.max(active - 1, 0));
    else return;
    event.preventDefault();
  };
  return (
    <div className="flex flex-col">
      <input
        role="combobox"
        aria-label={t("shell.findACommandOrAnythingElse")}
        aria-expanded
        aria-controls={`${id}-list`}
        aria-activedescendant={found.length ? `${id}-${active}` : undefined}
        autoFocus
        value={typed}
        placeholder={t("shell.whatWouldYouLikeToDo")}
        className="h-11 border-b bg-transparent px-4 text-lg outline-none"
        onKeyDown={press}
        onChange={(event) => {
          setTyped(event.target.value);
          setActive(0);
        }}
      />
      <div role="listbox" id={`${id}-list`} aria-label={t("shell.commands")} className="max-h-80 overflow-y-auto p-1">
        {found.map((command, index) => (
          // The keyboard goes through the input above, which names the active option.
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
          <div
            key={command.id}
            ref={index === active ? intoView : undefined}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            onClick={() => run(command)}
            onPointerMove={() => setActive(index)}
            className={cx("flex min-h-9 cursor-pointer items-center gap-2 rounded-md px-3", index === active && "bg-hover")}
          >
            <span className="min-w-0 flex-1 py-1">
              <span className="block truncate">
                {command.found ? <Passage of={{ passage: command.label, hits: command.found.name_hits }} /> : command.label}
              </span>
              {command.found?.passage && (
                <span className="line-clamp-2 text-xs wrap-anywhere text-muted">
                  <Passage of={command.found} />
                </span>
              )}
            </span>
            {command.group && <span className="max-w-40 truncate text-xs text-muted">{command.group}</span>}
            {command.keys && <Kbd keys={command.keys} />}
          </div>
        ))}
      </div>
      {!found.length && (
        <p role="status" className="px-4 pb-4 text-muted">
          {isSearching ? t("common.searching") : t("shell.nothingMatchesTryFewerLettersOr")}
        </p>
      )}
    </div>
  );
}

/** Called for each option that becomes the active one: the keys lead further down than the list shows. */
function intoView(option: HTMLElement | null): void {
  option?.scrollIntoView({ block: "nearest" });
}

/** Everything that has the typed words, as things to go to. */
function useFoundOptions(typed: string): { options: Option[]; isSearching: boolean } {
  const orgPath = useOrgPath();
  const navigate = useNavigate();
  const find = useSettled(typed, TYPING_MS).trim();
  const { data, isPending, isPlaceholderData } = useFound(find, { limit: FINDINGS });
  if (!typed.trim()) return { options: [], isSearching: false };
  // What was found for other words must not be opened by who presses Enter now.
  if (find !== typed.trim() || isPending || isPlaceholderData) return { options: [], isSearching: true };
  const options = (data?.results ?? []).map((found) => ({
    id: `found.${found.kind}.${found.id}`,
    label: found.name,
    group: whereOf(found),
    found,
    run: () => {
      const { path, search } = placeOf(found);
      visitAgain();
      void navigate({ to: orgPath(path), search, resetScroll: false });
    },
  }));
  return { options, isSearching: false };
}

/** What it is, and where it stands. */
function whereOf(found: Found): string {
  const kind = KIND_WORDS[found.kind];
  if (found.page) return t("shell.kindPagePage", { kind, page: found.page });
  return found.project_name ? `${kind}, ${found.project_name}` : kind;
}

function useShellCommands(): void {
  const go = useGo();
  const { id } = useOrganization();
  const { email } = useUser();
  const { data: organizations = [] } = useOrganizations();
  const listed = useNavigation();
  const pages = listed.map((page) => ({
    id: `page.${page.path}`,
    label: t("shell.goToTitle", { title: page.title }),
    group: t("shell.pages"),
    run: () => go(page.path),
  }));
  const actions = listed.flatMap((page) =>
    (page.commands ?? []).map((command) => ({
      id: `open.${command.path}`,
      label: command.label,
      words: command.words,
      group: page.title,
      run: () => go(command.path),
    })),
  );
  const others = organizations
    .filter((organization) => organization.id !== id)
    .map((organization) => ({
      id: `organization.${organization.id}`,
      label: t("shell.switchToName", { name: nameFor(organization.name, email) }),
      group: t("shell.organisations"),
      run: () => go("", organization.id),
    }));
  const themes = (["light", "dark", "system"] as const).map((theme) => ({
    id: `theme.${theme}`,
    label: theme === "system" ? t("shell.useTheSystemsAppearance") : t("shell.useTheThemeAppearance", { theme }),
    words: t("shell.themeDarkLightMode"),
    group: t("common.appearance"),
    run: () => choose(theme),
  }));
  useCommands([
    ...pages,
    ...actions,
    ...others,
    ...themes,
    { id: "help", label: t("shell.showTheKeys"), words: t("shell.helpShortcuts"), keys: "?", run: openHelp },
    { id: "sign-out", label: t("common.signOut"), words: t("shell.logOut"), run: () => void signOut() },
  ]);
}
