import { type ReactNode, useRef, useState } from 'react';
import type { ConsoleParameter } from '../../api/definitions.js';
import { Button } from '../layout/button.js';
import styles from './form.module.css';
import { fieldsOf } from './form-fields.js';
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
  /** Gets all values, without empty ones and defaults. It is called only with values within the declared bounds. */
  readonly onChange: (values: ParameterTexts) => void;
  /** Shown after the buttons, such as examples. */
  readonly children?: ReactNode;
}

/**
 * A form for parameters. A choice applies at once. A text applies with Enter or when the focus leaves the field, so that a request is
 * not sent for each letter.
 */
export function ParameterForm(props: ParameterFormProps) {
  const { label, definition, parameters, values, errors = {}, onChange, children } = props;
  const { shown, problems, setDraft, commit, reset } = useDraft(parameters, values, onChange);
  const messages = { ...errors, ...problems };
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
      {fieldsOf(parameters).map((field) =>
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
        {/* Enter in a field submits a form with several fields only if it has a button. */}
        <Button type="submit" icon="play">
          Apply
        </Button>
        <Button variant="quiet" onClick={reset} disabled={!isChanged}>
          Reset to defaults
        </Button>
        {children}
      </div>
    </form>
  );
}

/** Keeps texts that are not applied: the reader is writing them, or they are outside the bounds. */
function useDraft(
  parameters: readonly ConsoleParameter[],
  values: ParameterTexts,
  onChange: (values: ParameterTexts) => void,
) {
  const key = JSON.stringify(values);
  const [{ draft, basis }, setState] = useState<{ draft: ParameterTexts; basis: string }>({ draft: {}, basis: key });
  const applied = useRef(key);
  // Other values in the URL, such as after the back button, replace what was not applied.
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
