import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import styles from './form.module.css';
import type { Subject } from './form-fields.js';
import { SuggestList } from './suggest-list.js';
import { type Suggestion, useSuggestions } from './suggestions.js';
import { useLater } from './use-later.js';

export interface SuggestFieldProps {
  readonly id: string;
  readonly value: string;
  readonly placeholder?: string;
  /** Values to choose from; undefined if the service searches for values of `subject`. */
  readonly suggestions?: readonly Suggestion[];
  readonly subject?: Subject;
  readonly describedBy: string;
  readonly isInvalid: boolean;
  readonly isRequired: boolean;
  readonly onDraft: (value: string) => void;
  /** Called with the final value: after a suggestion was selected, after Enter, or when the focus has left the field. */
  readonly onCommit: (value: string) => void;
}

const NONE = -1;

/**
 * A text field with suggestions (the combobox of WAI-ARIA). The reader can also write a value that is not suggested. Does not use the
 * component of Base UI, which hides the other content of the page from screen readers while the list is open.
 */
export function SuggestField(props: SuggestFieldProps) {
  const { id, value, subject, onDraft, onCommit } = props;
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(NONE);
  const [isTyped, setTyped] = useState(false);
  const found = useSuggestions(subject, useLater(isTyped ? value : ''));
  const known = props.suggestions ?? found;
  // Results from the service are already filtered. A value that the reader did not type is not used as a filter.
  const items = isTyped && subject !== 'repository' && subject !== 'person' ? filter(known, value) : known;
  const list = `${id}-list`;
  const isShown = isOpen && items.length > 0;
  const finish = (text: string) => {
    setOpen(false);
    setActive(NONE);
    setTyped(false);
    onCommit(text);
  };
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (isShown) document.getElementById(`${list}-${active}`)?.scrollIntoView({ block: 'nearest' });
  }, [isShown, active, list]);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (step !== undefined && items.length > 0) {
      setOpen(true);
      // The position after the last item selects no item, so that the reader can return to the typed text.
      setActive(((active + 1 + step + items.length + 1) % (items.length + 1)) - 1);
    } else if (event.key === 'Enter') finish((isShown ? items[active]?.value : undefined) ?? value);
    else if (event.key === 'Escape' && isShown) setOpen(false);
    else return;
    event.preventDefault();
  };
  return (
    <div className={styles.suggest}>
      <input
        ref={input}
        id={id}
        className={subject === undefined && known.length > 0 ? styles.choices : styles.input}
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={isShown}
        aria-controls={list}
        aria-activedescendant={isShown && active !== NONE ? `${list}-${active}` : undefined}
        aria-describedby={props.describedBy}
        aria-invalid={props.isInvalid}
        aria-required={props.isRequired}
        autoComplete="off"
        spellCheck={false}
        placeholder={props.placeholder}
        value={value}
        onClick={() => setOpen(true)}
        onChange={(event) => {
          setOpen(true);
          setActive(NONE);
          setTyped(true);
          onDraft(event.target.value);
        }}
        onKeyDown={onKeyDown}
        onBlur={() => finish(value)}
      />
      {isShown && <SuggestList id={list} items={items} active={active} onChoose={finish} />}
      {subject === 'collection' && <CollectionName items={found} value={value} />}
    </div>
  );
}

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

function filter(items: readonly Suggestion[], text: string): readonly Suggestion[] {
  const wanted = text.toLowerCase();
  return items.filter(({ value, label = '' }) => `${value} ${label}`.toLowerCase().includes(wanted));
}

/** The name of the collection whose id is in the field. */
function CollectionName({ items, value }: { readonly items: readonly Suggestion[]; readonly value: string }) {
  const label = items.find((item) => item.value === value)?.label;
  return label === undefined ? null : <p className={styles.name}>{label}</p>;
}
