import { type ReactNode, useRef, useState } from 'react';
import type { ConsoleParameter } from '../../api/definitions.js';
import { Button } from '../layout/button.js';
import styles from './form.module.css';
import { type FormField, fieldsOf } from './form-fields.js';
import { ParameterField } from './parameter-field.js';
import {
  checkValues,
  cleanValues,
  defaultOf,
  type ParameterErrors,
  type ParameterTexts,
  valueIn,
} from './parameter-values.js';
import { RepositoryField } from './repository-field.js';

export interface ParameterFormProps {
  /** The accessible name of the form. */
  readonly label: string;
  /** The definition of the parameters, if their values come from a query. */
  readonly definition?: string;
  readonly parameters: readonly ConsoleParameter[];
  /** The values in the URL. */
  readonly values: ParameterTexts;
  /** Messages of the service. */
  readonly errors?: ParameterErrors;
  /** Called with all values, without empty values and defaults, and only with values within the declared bounds. */
  readonly onChange: (values: ParameterTexts) => void;
  /** Shown after the buttons, such as examples. */
  readonly children?: ReactNode;
}

/**
 * A form for parameters. A selected option is applied immediately. A text is applied on Enter or when the focus leaves the field, so that
 * not every letter causes a request.
 */
export function ParameterForm(props: ParameterFormProps) {
  const { label, definition, parameters, values, errors = {}, onChange, children } = props;
  const { shown, problems, setDraft, commit, reset } = useDraft(parameters, values, onChange);
  const messages = { ...errors, ...problems };
  const fields = fieldsOf(parameters);
  const isChanged = parameters.some(({ name, required }) => !required && valueIn(values, name) !== undefined);
  return (
    <form
      aria-label={label}
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        commit({});
      }}
    >
      {fields.map((field) =>
        field.kind === 'repository' ? (
          <RepositoryField key="repository" field={field} values={shown} errors={messages} onCommit={commit} />
        ) : (
          <ParameterField
            key={field.parameter.name}
            definition={definition}
            parameter={field.parameter}
            control={field.control}
            value={shown[field.parameter.name] ?? defaultOf(field.parameter) ?? ''}
            error={messages[field.parameter.name]}
            onDraft={(text) => setDraft({ [field.parameter.name]: text })}
            onCommit={(text) => commit({ [field.parameter.name]: text })}
          />
        ),
      )}
      <div className={styles.buttons}>
        {/* In a form with several fields, Enter only submits the form if it has a submit button. */}
        {fields.some(isText) && (
          <Button type="submit" icon="play">
            Apply
          </Button>
        )}
        <Button variant="quiet" onClick={reset} disabled={!isChanged}>
          Reset to defaults
        </Button>
        {children}
      </div>
    </form>
  );
}

/** Whether a field has a text, which is not applied while the reader writes it. */
function isText(field: FormField): boolean {
  return field.kind === 'repository' || (field.control.kind !== 'select' && field.control.kind !== 'switch');
}

/** Keeps texts that are not applied, because the reader is still editing or a value is outside of its bounds. */
function useDraft(
  parameters: readonly ConsoleParameter[],
  values: ParameterTexts,
  onChange: (values: ParameterTexts) => void,
) {
  const key = JSON.stringify(values);
  const [{ draft, basis }, setState] = useState<{ draft: ParameterTexts; basis: string }>({ draft: {}, basis: key });
  const applied = useRef(key);
  // If the values in the URL change, for example by the back button, texts that were not applied are discarded.
  const current = basis === key || applied.current === key ? draft : {};
  const shown = { ...values, ...current };
  const all = checkValues(parameters, shown);
  const problems = Object.fromEntries(Object.entries(all).filter(([name]) => valueIn(shown, name) !== undefined));
  const setDraft = (added: ParameterTexts) => setState({ draft: { ...current, ...added }, basis: key });
  const commit = (added: ParameterTexts) => {
    const next = { ...shown, ...added };
    const wrong = checkValues(parameters, next);
    const kept = Object.fromEntries(
      Object.entries({ ...current, ...added }).filter(([name]) => valueIn(wrong, name) !== undefined),
    );
    const valid = Object.fromEntries(
      Object.entries(next).flatMap(([name, text]): [string, string][] => {
        const old = valueIn(values, name);
        return valueIn(wrong, name) === undefined ? [[name, text]] : old === undefined ? [] : [[name, old]];
      }),
    );
    const clean = cleanValues(parameters, valid);
    applied.current = JSON.stringify(clean);
    setState({ draft: kept, basis: key });
    if (applied.current !== JSON.stringify(cleanValues(parameters, values))) onChange(clean);
  };
  const reset = () => {
    setState({ draft: {}, basis: key });
    onChange(
      Object.fromEntries(
        parameters
          .filter(({ required }) => required)
          .flatMap(({ name }) => {
            const value = valueIn(values, name);
            return value === undefined ? [] : [[name, value]];
          }),
      ),
    );
  };
  return { shown, problems, setDraft, commit, reset };
}
