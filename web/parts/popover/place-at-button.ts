import type { ToggleEvent } from 'react';

const GAP = 4;

/** When a popover opens, places it at the button before it, inside of the window. */
export function placeAtButton(event: ToggleEvent<HTMLElement>): void {
  const popover = event.currentTarget;
  const button = popover.previousElementSibling?.getBoundingClientRect();
  if (event.newState !== 'open' || button === undefined) return;
  const { width, height } = popover.getBoundingClientRect();
  const below = button.bottom + GAP;
  const top = below + height <= window.innerHeight ? below : Math.max(GAP, button.top - GAP - height);
  popover.style.left = `${Math.max(GAP, Math.min(button.right - width, window.innerWidth - width - GAP))}px`;
  popover.style.top = `${top}px`;
}
