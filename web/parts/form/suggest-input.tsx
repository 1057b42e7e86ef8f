import { Autocomplete } from '@base-ui/react/autocomplete';
import { useEffect, useState } from 'react';
import styles from './form.module.css';
import type { Subject } from './form-fields.js';
import { type Suggestion, useSuggestions } from './suggestions.js';

export interface SuggestInputProps {
  readonly id: string;
  readonly value: string;
  readonly placeholder?: string;
  /** Values to choose from; absent if they are searched by `subject`. */
  readonly suggestions?: readonly Suggestion[];
  readonly subject?: Subject;
  readonly describedBy: string;
  readonly isInvalid: boolean;
  readonly isRequired: boolean;
  readonly onDraft: (value: string) => void;
  /** A finished value: a chosen suggestion, Enter, or the focus left the field. */
  readonly onCommit: (value: string) => void;
}

const WAIT_MS = 200;

/** A text field with suggestions. The reader can also write a value that is not suggested. */
export default function SuggestInput(props: SuggestInputProps) {
  const { id, value, subject, suggestions, onDraft, onCommit } = props;
  const text = useLater(value);
  const found = useSuggestions(subject ?? 'repository', subject === undefined ? '' : text);
  const items = suggestions ?? found;
  // The service has already filtered what it found. A value that the reader did not write is not a search.
  const [isTyped, setTyped] = useState(false);
  const isSearch = subject === 'repository' || subject === 'person';
  const commit = (text: string) => {
    setTyped(false);
    onCommit(text);
  };
  return (
    <Autocomplete.Root
      items={items}
      value={value}
      itemToStringValue={({ value: one, label }: Suggestion) => (label === undefined ? one : `${one} ${label}`)}
      onValueChange={(next, { reason }) => {
        // The value of a chosen item is its text with the label, so the item itself commits.
        if (reason === 'item-press') return;
        setTyped(true);
        onDraft(next);
      }}
      openOnInputClick
      limit={100}
      {...((isSearch || !isTyped) && { filter: null })}
    >
      <Autocomplete.Input
        id={id}
        className={subject === undefined ? styles.choices : styles.input}
        placeholder={props.placeholder}
        aria-describedby={props.describedBy}
        aria-invalid={props.isInvalid}
        aria-required={props.isRequired}
        autoComplete="off"
        spellCheck={false}
        onBlur={() => commit(value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.currentTarget.getAttribute('aria-activedescendant')) return;
          event.preventDefault();
          commit(event.currentTarget.value);
        }}
      />
      <Autocomplete.Portal>
        <Autocomplete.Positioner className={styles.positioner} sideOffset={4} align="start">
          <Autocomplete.Popup className={styles.popup} hidden={items.length === 0}>
            <Autocomplete.List className={styles.options}>
              {(item: Suggestion) => (
                <Autocomplete.Item
                  key={item.value}
                  value={item}
                  className={styles.option}
                  onClick={() => commit(item.value)}
                >
                  {item.label !== undefined && <span>{item.label}</span>}
                  <span className={item.label === undefined ? undefined : styles.soft}>{item.value}</span>
                </Autocomplete.Item>
              )}
            </Autocomplete.List>
          </Autocomplete.Popup>
        </Autocomplete.Positioner>
      </Autocomplete.Portal>
    </Autocomplete.Root>
  );
}

/** Returns a text after it did not change for a moment. */
function useLater(text: string): string {
  const [later, setLater] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setLater(text), WAIT_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return later;
}
