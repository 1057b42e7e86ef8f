import { useEffect, useState } from 'react';
import { Button, IconButton } from './button.js';
import styles from './layout.module.css';

type State = 'ready' | 'copied' | 'failed';

interface CopyButtonProps {
  /** The text to copy, or a function that writes it when the button is pressed. */
  readonly text: string | (() => string);
  /** The accessible name, such as `Copy the link`. */
  readonly label?: string;
  /** Whether the label is shown in addition to the icon. */
  readonly isLabelled?: boolean;
  /** Whether the button has no border, as in a menu. */
  readonly isQuiet?: boolean;
  readonly size?: 'small' | 'medium';
}

/** A button that copies a text and then shows whether copying succeeded. */
export function CopyButton({
  text,
  label = 'Copy',
  isLabelled = false,
  isQuiet = false,
  size = 'small',
}: CopyButtonProps) {
  const [state, setState] = useState<State>('ready');
  useEffect(() => {
    if (state === 'ready') return;
    const timer = setTimeout(() => setState('ready'), 2_000);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = () =>
    void copyText(typeof text === 'string' ? text : text()).then(
      () => setState('copied'),
      () => setState('failed'),
    );
  const icon = ({ ready: 'copy', copied: 'check', failed: 'warning' } as const)[state];
  const message = { ready: '', copied: 'Copied', failed: 'The browser does not allow copying' }[state];
  return (
    <>
      {isLabelled ? (
        <Button icon={icon} size={isQuiet ? 'medium' : size} variant={isQuiet ? 'quiet' : 'secondary'} onClick={copy}>
          {state === 'ready' ? label : message}
        </Button>
      ) : (
        <IconButton icon={icon} size={size} label={state === 'ready' ? label : message} onClick={copy} />
      )}
      <span className={styles.hidden} role="status">
        {message}
      </span>
    </>
  );
}

/** On pages without TLS, the clipboard API is not available, so the text is selected and copied with a command. */
async function copyText(text: string): Promise<void> {
  if (navigator.clipboard !== undefined) return navigator.clipboard.writeText(text);
  const area = document.createElement('textarea');
  area.value = text;
  document.body.append(area);
  area.select();
  const isCopied = document.execCommand('copy');
  area.remove();
  if (!isCopied) throw new Error('The text could not be copied.');
}
