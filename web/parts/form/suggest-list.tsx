import styles from './form.module.css';
import type { Suggestion } from './suggestions.js';

interface SuggestListProps {
  readonly id: string;
  readonly items: readonly Suggestion[];
  /** The position of the item that Enter chooses; -1 for none. */
  readonly active: number;
  readonly onChoose: (value: string) => void;
}

/** The suggestions below a field. The focus stays in the field. */
export function SuggestList({ id, items, active, onChoose }: SuggestListProps) {
  return (
    <div
      id={id}
      role="listbox"
      aria-label="Suggestions"
      tabIndex={-1}
      className={styles.options}
      onPointerDown={(event) => event.preventDefault()}
    >
      {items.map(({ value, label }, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keyboard, and Enter chooses the active item
        <div
          key={value}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === active}
          tabIndex={-1}
          className={styles.option}
          onClick={() => onChoose(value)}
        >
          {label !== undefined && <span>{label}</span>}
          <span className={label === undefined ? undefined : styles.soft}>{value}</span>
        </div>
      ))}
    </div>
  );
}
