import { useEffect, useState } from 'react';

export interface CopyButtonProps {
  /** The text, or a function that returns it when the reader needs it. */
  readonly text: string | (() => string);
  readonly label: string;
  /** What is copied, for readers who hear only the button. */
  readonly what?: string;
  readonly className?: string | undefined;
}

const RESET_AFTER_MS = 2_000;

/** Copies a text to the clipboard, and states whether this succeeded. */
export function CopyButton({ text, label, what, className }: CopyButtonProps) {
  const [state, setState] = useState<'ready' | 'copied' | 'failed'>('ready');
  useEffect(() => {
    if (state === 'ready') return;
    const timer = setTimeout(() => setState('ready'), RESET_AFTER_MS);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = () => {
    copyText(typeof text === 'string' ? text : text()).then(
      () => setState('copied'),
      () => setState('failed'),
    );
  };
  const shown = { ready: label, copied: '✓ Copied', failed: '✗ Not copied' }[state];
  return (
    <button
      type="button"
      className={className}
      onClick={copy}
      {...(what !== undefined && state === 'ready' && { 'aria-label': `${label} ${what}` })}
    >
      <span aria-live="polite">{shown}</span>
    </button>
  );
}

/** Browsers offer `navigator.clipboard` on secure origins only. */
async function copyText(text: string): Promise<void> {
  if (navigator.clipboard !== undefined) return navigator.clipboard.writeText(text);
  const area = document.createElement('textarea');
  area.value = text;
  document.body.append(area);
  area.select();
  const isCopied = document.execCommand('copy');
  area.remove();
  if (!isCopied) throw new Error('The browser does not allow access to the clipboard.');
}
