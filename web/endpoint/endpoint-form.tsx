import { Link } from '@tanstack/react-router';
import type { DefinitionDetails } from '../api/definitions.js';
import type { SearchValues } from '../app/search-text.js';
import { ParameterForm } from '../parts/form/parameter-form.js';
import { cleanValues, type ParameterErrors, type ParameterTexts, toText } from '../parts/form/parameter-values.js';
import { Card } from '../parts/layout/card.js';
import styles from './endpoint.module.css';
import { parametersOf, withParameters } from './endpoint-search.js';

export interface EndpointFormProps {
  readonly definition: DefinitionDetails;
  readonly search: SearchValues;
  readonly errors: ParameterErrors;
  readonly onChange: (values: ParameterTexts) => void;
}

/** The form of an endpoint, and its examples. */
export function EndpointForm({ definition, search, errors, onChange }: EndpointFormProps) {
  const { name, parameters } = definition;
  if (parameters.length === 0) return null;
  return (
    <Card>
      <h2 className={styles.hidden}>Parameters</h2>
      <ParameterForm
        label="Parameters"
        definition={name}
        parameters={parameters}
        values={parametersOf(search)}
        errors={errors}
        onChange={onChange}
      />
      <Examples definition={definition} search={search} />
    </Card>
  );
}

type ExamplesProps = Pick<EndpointFormProps, 'definition' | 'search'>;

/** Links to the examples of a definition, which set all parameters. */
export function Examples({ definition: { name, examples, parameters }, search }: ExamplesProps) {
  if (examples.length === 0) return null;
  return (
    <p className={styles.examples}>
      <span>Try: </span>
      {examples.map(({ name: title, params }) => {
        const texts = Object.fromEntries(Object.entries(params).map(([key, value]) => [key, toText(value)]));
        const values = cleanValues(parameters, texts);
        return (
          <Link key={title} to="/e/$name" params={{ name }} search={withParameters(search, values)}>
            {title}
          </Link>
        );
      })}
    </p>
  );
}
