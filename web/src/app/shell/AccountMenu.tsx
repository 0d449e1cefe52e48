import { BookOpen, Braces, CircleHelp, LogOut, Monitor, Moon, Sun, UserRound } from "lucide-react";
import { useState } from "react";

import { IconButton } from "@/components/Button";
import { Menu, MenuItem, MenuLabel, MenuSeparator } from "@/components/Menu";
import { ErrorNote } from "@/components/Notes";
import { signOut, useUser } from "@/lib/api/session";
import { t } from "@/lib/i18n";
import { useTheme } from "@/lib/theme";
import type { Theme } from "@/lib/theme";

import { openHelp } from "./panels";


const THEMES: { theme: Theme; label: string; icon: typeof Sun }[] = [
  { theme: "light", get label() { return t("common.light"); }, icon: Sun },
  { theme: "dark", get label() { return t("common.dark"); }, icon: Moon },
  { theme: "system", get label() { return t("common.system"); }, icon: Monitor },
];

export function AccountMenu() {
  const user = useUser();
  const [theme, setTheme] = useTheme();
  const [error, setError] = useState<unknown>(null);
  return (
    <>
      <Menu align="end" trigger={<IconButton icon={UserRound} label={t("shell.yourAccountEmail", { email: user.email })} />}>
        <MenuLabel>{user.email}</MenuLabel>
        <MenuSeparator />
        <MenuLabel>{t("common.appearance")}</MenuLabel>
        {THEMES.map((item) => (
          <MenuItem
            key={item.theme}
            icon={item.icon}
            checked={theme === item.theme}
            onSelect={() => setTheme(item.theme)}
          >
            {item.label}
          </MenuItem>
        ))}
        <MenuSeparator />
        <MenuItem icon={CircleHelp} note="?" onSelect={openHelp}>
          {t("shell.keysAndHelp")}
        </MenuItem>
        <MenuItem icon={BookOpen} onSelect={() => location.assign("/manual/")}>
          {t("shell.manual")}
        </MenuItem>
        <MenuItem icon={Braces} onSelect={() => location.assign("/docs")}>
          {t("shell.apiPage")}
        </MenuItem>
        <MenuItem icon={LogOut} onSelect={() => void signOut().catch(setError)}>
          {t("common.signOut")}
        </MenuItem>
      </Menu>
      {error !== null && (
        <ErrorNote
          error={error}
          what={t("common.youAreStillSignedIn")}
          className="fixed top-14 right-4 z-50 max-w-96"
          onDismiss={() => setError(null)}
        />
      )}
    </>
  );
}
