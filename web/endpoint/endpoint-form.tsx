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
  readonly hasExamples: boolean;
  readonly onChange: (values: ParameterTexts) => void;
}

/** The form of an endpoint, and its examples. */
export function EndpointForm({ definition, search, errors, hasExamples, onChange }: EndpointFormProps) {
  const { name, parameters } = definition;
  if (parameters.length === 0) return null;
  return (
    <Card title="Parameters">
      <ParameterForm
        label="Parameters"
        definition={name}
        parameters={parameters}
        values={parametersOf(search)}
        errors={errors}
        onChange={onChange}
      >
        {hasExamples && <Examples definition={definition} search={search} />}
      </ParameterForm>
    </Card>
  );
}

interface ExamplesProps extends Pick<EndpointFormProps, 'definition' | 'search'> {
  readonly isCentered?: boolean;
}

/** Links to the examples of a definition, which set all parameters. */
export function Examples({ definition: { name, examples, parameters }, search, isCentered }: ExamplesProps) {
  if (examples.length === 0) return null;
  return (
    <p className={isCentered === true ? styles.centered : styles.examples}>
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
