import { useEffect, useId, useState } from 'react';
import { FieldFrame } from './field-frame.js';
import type { FormField } from './form-fields.js';
import { checkValue, type ParameterErrors, type ParameterTexts, valueIn } from './parameter-values.js';
import { SuggestField } from './suggest-field.js';

export interface RepositoryFieldProps {
  readonly field: Extract<FormField, { kind: 'repository' }>;
  readonly values: ParameterTexts;
  readonly errors: ParameterErrors;
  readonly onCommit: (values: ParameterTexts) => void;
}

/** One field for the two parameters of a repository. */
export function RepositoryField({ field: { owner, repo }, values, errors, onCommit }: RepositoryFieldProps) {
  const id = useId();
  const given = joinName(valueIn(values, owner.name), valueIn(values, repo.name));
  const [text, setText] = useState(given);
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    setText(given);
    setProblem(undefined);
  }, [given]);
  const commit = (input: string) => {
    const [login = '', name = '', ...rest] = input.trim().split('/');
    const isName = login !== '' && name !== '' && rest.length === 0;
    const error = isName
      ? (checkValue(owner, login) ?? checkValue(repo, name))
      : 'Must be the owner and the name, such as owner/name.';
    setText(input);
    if (input === given || input === '') return setProblem(undefined);
    setProblem(error);
    if (error === undefined) onCommit({ [owner.name]: login, [repo.name]: name });
  };
  const sent = [errors[owner.name], errors[repo.name]].filter((message) => message !== undefined);
  const error = problem ?? (sent.length > 0 ? [...new Set(sent)].join(' ') : undefined);
  return (
    <FieldFrame
      id={id}
      label="Repository"
      description="Owner and name, such as `owner/name`; case does not matter."
      error={error}
      isRequired
    >
      <SuggestField
        id={id}
        value={text}
        placeholder="owner/name"
        subject="repository"
        describedBy={`${id}-error ${id}-hint`}
        isInvalid={error !== undefined}
        isRequired
        onDraft={setText}
        onCommit={commit}
      />
    </FieldFrame>
  );
}

function joinName(owner = '', repo = ''): string {
  return owner === '' && repo === '' ? '' : `${owner}/${repo}`;
}
