import { CopyButton } from './copy-button.js';
import styles from './layout.module.css';

/** A text to copy, such as a command or a program. It can be scrolled horizontally with the keyboard. */
export function CodeBlock({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    <div className={styles.code}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls needs the focus */}
      <section aria-label={label} tabIndex={0}>
        <pre>
          <code>{text}</code>
        </pre>
      </section>
      <CopyButton text={text} label={`Copy: ${label}`} />
    </div>
  );
}
