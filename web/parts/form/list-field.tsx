import { useState } from 'react';
import { joinList, splitList } from '../../app/list-text.js';
import styles from './form.module.css';
import type { Control } from './form-fields.js';
import { checkItem, type ValueSchema } from './parameter-values.js';
import { SuggestField } from './suggest-field.js';

export interface ListFieldProps {
  readonly id: string;
  readonly label: string;
  readonly value: string;
  readonly schema: ValueSchema;
  readonly control: Extract<Control, { kind: 'list' }>;
  readonly choices: readonly string[] | undefined;
  readonly describedBy: string;
  readonly isInvalid: boolean;
  readonly isRequired: boolean;
  readonly onCommit: (value: string) => void;
}

/** A list of values as chips, with a field that adds values. */
export function ListField(props: ListFieldProps) {
  const { id, label, value, schema, control, choices, onCommit } = props;
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string>();
  const items = splitList(value);
  const isFull = schema.maxItems !== undefined && items.length >= schema.maxItems;
  const values = control.values ?? choices;
  const add = (input: string) => {
    const added = splitList(input).flatMap((one) => (one.trim() === '' ? [] : [one.trim()]));
    const wrong = added.map((one) => checkItem(schema, one)).find((message) => message !== undefined);
    setProblem(wrong);
    setText(wrong === undefined ? '' : input);
    if (wrong === undefined && added.length > 0) onCommit(joinList([...new Set([...items, ...added])]));
  };
  return (
    <div className={styles.list}>
      {items.length > 0 && (
        <ul className={styles.chips} aria-label={label}>
          {items.map((item) => (
            <li key={item} className={styles.chip}>
              {item}
              <button
                type="button"
                aria-label={`Remove ${item}`}
                onClick={() => onCommit(joinList(items.filter((one) => one !== item)))}
              >
                ×
              </button>
            </li>
          ))}
        </ul>
      )}
      {!isFull && (
        <SuggestField
          id={id}
          value={text}
          placeholder={control.subject === 'repository' ? 'Add owner/name' : 'Add a value'}
          {...(control.subject !== undefined && values === undefined && { subject: control.subject })}
          {...((values !== undefined || control.subject === undefined) && {
            suggestions: (values ?? []).filter((one) => !items.includes(one)).map((one) => ({ value: one })),
          })}
          describedBy={props.describedBy}
          isInvalid={props.isInvalid || problem !== undefined}
          isRequired={props.isRequired && items.length === 0}
          onDraft={(draft) => (/[^\\],$/.test(draft) ? add(draft) : setText(draft))}
          onCommit={add}
        />
      )}
      {problem !== undefined && <p className={styles.error}>⚠ {problem}</p>}
    </div>
  );
}
