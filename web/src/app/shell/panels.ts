import { Store } from "@/lib/store";

/** Which of the two panels over the page is open. */
export const paletteOpen = new Store(false);
export const helpOpen = new Store(false);

export const openPalette = (): void => paletteOpen.set(true);
export const openHelp = (): void => helpOpen.set(true);
