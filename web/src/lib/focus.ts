/**
 * For what floats and closes: the focus goes back to what opened it, unless it is somewhere else by then.
 *
 * It goes back a moment after the closing. Who clicks into a text in that moment writes there, and not on the button.
 */
export function leaveFocusElsewhere(event: Event): void {
  const active = document.activeElement;
  if (active && active !== document.body) event.preventDefault();
}
