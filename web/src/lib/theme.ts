import { Store, useStore } from "@/lib/store";

export type Theme = "light" | "dark" | "system";

const KEY = "docagent.theme";
const system = typeof matchMedia === "undefined" ? null : matchMedia("(prefers-color-scheme: dark)");
const chosen = new Store<Theme>(stored());
const dark = new Store<boolean>(isDark());

system?.addEventListener("change", apply);

export function useTheme(): [Theme, (theme: Theme) => void] {
  return [useStore(chosen), choose];
}

/** True while the page is dark, whoever chose that. */
export function useIsDark(): boolean {
  return useStore(dark);
}

function isDark(): boolean {
  const theme = chosen.get();
  return theme === "dark" || (theme === "system" && (system?.matches ?? false));
}

export function choose(theme: Theme): void {
  chosen.set(theme);
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // Storage is switched off: the choice holds until the reload.
  }
  apply();
}

function apply(): void {
  dark.set(isDark());
  document.documentElement.dataset.theme = dark.get() ? "dark" : "light";
}

function stored(): Theme {
  try {
    const text = localStorage.getItem(KEY);
    return text === "light" || text === "dark" ? text : "system";
  } catch {
    return "system";
  }
}
