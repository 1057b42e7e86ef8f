import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react';
import styles from './tabs.module.css';

export interface Tab<Name extends string> {
  readonly name: Name;
  readonly label: string;
}

export interface TabsProps<Name extends string> {
  /** The accessible name of the list of tabs. */
  readonly label: string;
  readonly tabs: readonly Tab<Name>[];
  readonly chosen: Name;
  readonly onChoose: (name: Name) => void;
  /** Shown beside the tabs. */
  readonly actions?: ReactNode;
  /** The content of the chosen tab. */
  readonly children: ReactNode;
}

const STEPS: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1 };

/** Tabs, of which one is shown. The arrow keys, Home and End move between them. */
export function Tabs<Name extends string>({ label, tabs, chosen, onChoose, actions, children }: TabsProps<Name>) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const move = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    const position = tabs.findIndex(({ name }) => name === chosen);
    const target =
      step === undefined ? (ENDS[event.key]?.(tabs.length) ?? -1) : (position + step + tabs.length) % tabs.length;
    const tab = tabs[target];
    if (tab === undefined) return;
    event.preventDefault();
    onChoose(tab.name);
    list.current?.querySelectorAll<HTMLElement>('[role="tab"]')[target]?.focus();
  };
  return (
    <div>
      <div className={styles.bar}>
        <div ref={list} role="tablist" aria-label={label} className={styles.list} onKeyDown={move}>
          {tabs.map(({ name, label: text }) => (
            <button
              key={name}
              type="button"
              role="tab"
              id={`${id}-${name}`}
              aria-selected={name === chosen}
              aria-controls={`${id}-panel`}
              tabIndex={name === chosen ? 0 : -1}
              onClick={() => onChoose(name)}
            >
              {text}
            </button>
          ))}
        </div>
        {actions !== undefined && <div className={styles.actions}>{actions}</div>}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${chosen}`} className={styles.panel}>
        {children}
      </div>
    </div>
  );
}

const ENDS: Readonly<Record<string, (length: number) => number>> = { Home: () => 0, End: (length) => length - 1 };
