import { useId } from 'react';
import { choiceText, columnText } from '../../../engine/charts/label-text.js';
import type { ConsoleParameter } from '../../api/definitions.js';
import { FieldFrame } from './field-frame.js';
import styles from './form.module.css';
import type { Control } from './form-fields.js';
import { ListField } from './list-field.js';
import { defaultOf, schemaOf } from './parameter-values.js';
import { SuggestField } from './suggest-field.js';
import { useChoices } from './suggestions.js';

export interface ParameterFieldProps {
  /** The name of the definition, for parameters whose allowed values come from a query. */
  readonly definition: string | undefined;
  readonly parameter: ConsoleParameter;
  readonly control: Control;
  readonly value: string;
  readonly error: string | undefined;
  /** Called with the value while the reader edits it. */
  readonly onDraft: (value: string) => void;
  /** Called with the value when the reader has finished editing. */
  readonly onCommit: (value: string) => void;
}

export function ParameterField(props: ParameterFieldProps) {
  const { parameter, error } = props;
  const id = useId();
  return (
    <FieldFrame
      id={id}
      label={columnText(parameter)}
      description={parameter.description}
      error={error}
      isRequired={parameter.required}
    >
      <FieldControl {...props} id={id} />
    </FieldFrame>
  );
}

function FieldControl({ id, definition, ...props }: ParameterFieldProps & { readonly id: string }) {
  const { parameter, control, value, error, onDraft, onCommit } = props;
  const choices = useChoices(parameter.hasChoices ? definition : undefined, parameter.name);
  const schema = schemaOf(parameter);
  const facts = {
    id,
    describedBy: `${id}-error ${id}-hint`,
    isInvalid: error !== undefined,
    isRequired: parameter.required,
  };
  switch (control.kind) {
    case 'select':
      return <SelectField {...facts} parameter={parameter} value={value} values={control.values} onCommit={onCommit} />;
    case 'switch':
      return (
        <label className={styles.switch}>
          <input
            id={id}
            type="checkbox"
            role="switch"
            checked={value === 'true'}
            aria-checked={value === 'true'}
            aria-describedby={facts.describedBy}
            onChange={(event) => onCommit(String(event.target.checked))}
          />
          <span aria-hidden="true">{value === 'true' ? 'On' : 'Off'}</span>
        </label>
      );
    case 'list': {
      const label = columnText(parameter);
      return <ListField {...facts} {...{ label, value, schema, control, choices, onCommit }} />;
    }
    case 'choices': {
      const values = choices ?? schema.enum?.map(String) ?? [];
      const suggestions = values.map((one) => ({ value: one }));
      return <SuggestField {...facts} {...{ value, suggestions, onDraft, onCommit }} />;
    }
    case 'search':
      return <SuggestField {...facts} {...{ value, onDraft, onCommit }} subject={control.subject} />;
    default:
      return (
        <input
          id={id}
          className={styles.input}
          type={control.kind}
          value={value}
          aria-describedby={facts.describedBy}
          aria-invalid={facts.isInvalid}
          required={parameter.required}
          {...(control.kind === 'number' && { step: schema.type === 'integer' ? 1 : 'any' })}
          {...boundsOf(parameter)}
          spellCheck={false}
          onChange={(event) => onDraft(event.target.value)}
          onBlur={(event) => onCommit(event.target.value)}
        />
      );
  }
}

interface SelectFieldProps {
  readonly id: string;
  readonly describedBy: string;
  readonly isInvalid: boolean;
  readonly parameter: ConsoleParameter;
  readonly value: string;
  readonly values: readonly string[];
  readonly onCommit: (value: string) => void;
}

/** Also shows a value of the URL that is not in the list, so that the message about it makes sense. */
function SelectField({ id, describedBy, isInvalid, parameter, value, values, onCommit }: SelectFieldProps) {
  const isOptional = defaultOf(parameter) === undefined;
  return (
    <select
      id={id}
      className={styles.input}
      value={value}
      aria-describedby={describedBy}
      aria-invalid={isInvalid}
      required={parameter.required}
      onChange={(event) => onCommit(event.target.value)}
    >
      {isOptional && <option value="">{parameter.required ? 'Choose…' : 'Any'}</option>}
      {value !== '' && !values.includes(value) && <option value={value}>{value}</option>}
      {values.map((one) => (
        <option key={one} value={one}>
          {parameter.labels?.[one] ?? choiceText(one)}
        </option>
      ))}
    </select>
  );
}

/** The bounds that browsers know. The limits of the integer type are omitted, because they do not help a reader. */
function boundsOf(parameter: ConsoleParameter): { readonly min?: number; readonly max?: number } {
  const { minimum, maximum } = schemaOf(parameter);
  return {
    ...(minimum !== undefined && minimum > Number.MIN_SAFE_INTEGER && { min: minimum }),
    ...(maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER && { max: maximum }),
  };
}
