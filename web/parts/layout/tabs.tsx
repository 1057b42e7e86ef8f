import type { KeyboardEvent, ReactNode } from 'react';
import styles from './tabs.module.css';

export interface Tab<Id extends string = string> {
  readonly id: Id;
  readonly label: ReactNode;
}

interface TabsProps<Id extends string> {
  /** The accessible name of the list of tabs. */
  readonly label: string;
  readonly tabs: readonly Tab<Id>[];
  readonly selected: Id;
  readonly onSelect: (id: Id) => void;
  /** The content of the selected tab. Without it, the page shows the content elsewhere. */
  readonly children?: ReactNode;
}

/** Tabs with the keyboard model of WAI-ARIA: cursor keys, Home and End select, Tab moves to the content. */
export function Tabs<Id extends string>({ label, tabs, selected, onSelect, children }: TabsProps<Id>) {
  const panel = children === undefined ? undefined : `panel-${idOf(label)}`;
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const next = targetOf(event.key, tabs, selected);
    if (next === undefined) return;
    event.preventDefault();
    onSelect(next.id);
    document.getElementById(`tab-${idOf(label)}-${next.id}`)?.focus();
  };
  return (
    <>
      <div role="tablist" aria-label={label} className={styles.tabs}>
        {tabs.map((tab) => (
          <button
            key={tab.id}
            id={`tab-${idOf(label)}-${tab.id}`}
            type="button"
            role="tab"
            className={styles.tab}
            aria-selected={tab.id === selected}
            aria-controls={panel}
            tabIndex={tab.id === selected ? 0 : -1}
            onClick={() => onSelect(tab.id)}
            onKeyDown={onKeyDown}
          >
            {tab.label}
          </button>
        ))}
      </div>
      {panel !== undefined && (
        <div role="tabpanel" id={panel} aria-labelledby={`tab-${idOf(label)}-${selected}`} className={styles.panel}>
          {children}
        </div>
      )}
    </>
  );
}

function targetOf<Id extends string>(key: string, tabs: readonly Tab<Id>[], selected: Id): Tab<Id> | undefined {
  const index = tabs.findIndex(({ id }) => id === selected);
  if (key === 'ArrowRight') return tabs[(index + 1) % tabs.length];
  if (key === 'ArrowLeft') return tabs.at(index - 1);
  if (key === 'Home') return tabs[0];
  return key === 'End' ? tabs.at(-1) : undefined;
}

function idOf(label: string): string {
  return label.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
}
