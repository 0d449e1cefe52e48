import { BookOpen, Braces, CircleHelp, LogOut, Monitor, Moon, Sun, UserRound } from "lucide-react";
import { useState } from "react";

import { IconButton } from "@/components/Button";
import { Menu, MenuItem, MenuLabel, MenuSeparator } from "@/components/Menu";
import { ErrorNote } from "@/components/Notes";
import { signOut, useUser } from "@/lib/api/session";
import { useTheme } from "@/lib/theme";
import type { Theme } from "@/lib/theme";

import { openHelp } from "./panels";


const THEMES: { theme: Theme; label: string; icon: typeof Sun }[] = [
  { theme: "light", label: "Light", icon: Sun },
  { theme: "dark", label: "Dark", icon: Moon },
  { theme: "system", label: "System", icon: Monitor },
];

export function AccountMenu() {
  const user = useUser();
  const [theme, setTheme] = useTheme();
  const [error, setError] = useState<unknown>(null);
  return (
    <>
      <Menu align="end" trigger={<IconButton icon={UserRound} label={`Your account, ${user.email}`} />}>
        <MenuLabel>{user.email}</MenuLabel>
        <MenuSeparator />
        <MenuLabel>Appearance</MenuLabel>
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
          Keys and help
        </MenuItem>
        <MenuItem icon={BookOpen} onSelect={() => location.assign("/manual/")}>
          Manual
        </MenuItem>
        <MenuItem icon={Braces} onSelect={() => location.assign("/docs")}>
          API page
        </MenuItem>
        <MenuItem icon={LogOut} onSelect={() => void signOut().catch(setError)}>
          Sign out
        </MenuItem>
      </Menu>
      {error !== null && (
        <ErrorNote
          error={error}
          what="You are still signed in."
          className="fixed top-14 right-4 z-50 max-w-96"
          onDismiss={() => setError(null)}
        />
      )}
    </>
  );
}
