let isRequested = false;

/** Remembers that the next heading of a page gets the focus, because the user went to another page. */
export function requestFocus(): void {
  isRequested = true;
}

/** Whether a heading takes the focus now. It does not take it from a control that the user has reached in the meantime. */
export function takeFocusRequest(): boolean {
  const { activeElement: active } = document;
  const isFree = active === null || active === document.body || active.tagName === 'MAIN';
  const isTaken = isRequested && isFree;
  isRequested = false;
  return isTaken;
}
