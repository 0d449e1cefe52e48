/**
 * For popovers and menus that close: the focus goes back to what opened them, unless it is somewhere else by then.
 *
 * It goes back a moment after the closing. A user who clicks into a text in that moment writes there.
 */
export function leaveFocusElsewhere(event: Event): void {
  const active = document.activeElement;
  if (active && active !== document.body) event.preventDefault();
}
