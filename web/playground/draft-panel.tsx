import { useMutation } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { type Draft as DefinitionDraft, draftDefinition } from '../api/playground.js';
import { Button } from '../parts/layout/button.js';
import { CodeBlock } from '../parts/layout/code-block.js';
import { ErrorMessage } from '../parts/messages/error-message.js';
import { Message } from '../parts/messages/message.js';
import { faultsOf } from './editor/sql-faults.js';
import styles from './playground.module.css';

/** A panel that creates the definition file of an endpoint from the query in the editor. */
export function DraftPanel({ sql }: { readonly sql: string }) {
  const id = useId();
  const [name, setName] = useState('');
  const draft = useMutation({
    mutationFn: (input: { readonly sql: string; readonly name: string }) =>
      draftDefinition(input.sql, input.name === '' ? undefined : input.name),
  });
  const faults = draft.variables === undefined ? [] : faultsOf(draft.error, draft.variables.sql);
  return (
    <details className={styles.panel}>
      <summary>Create an endpoint from this query</summary>
      <p className={styles.soft}>
        An endpoint is one YAML file: its path, parameters, columns and SQL. The values that the query compares become
        parameters. Nothing is stored in the service.
      </p>
      <form
        className={styles.draftForm}
        onSubmit={(event) => {
          event.preventDefault();
          draft.mutate({ sql, name: name.trim() });
        }}
      >
        <label htmlFor={id}>Name (optional)</label>
        <input
          id={id}
          value={name}
          onChange={(event) => setName(event.target.value)}
          placeholder="stars-by-language"
          pattern="[a-z][a-z0-9]*(-[a-z0-9]+)*"
          title="Lower-case words with hyphens, such as stars-by-language"
          maxLength={80}
          autoComplete="off"
          spellCheck={false}
        />
        <button type="submit" disabled={draft.isPending || sql.trim() === ''}>
          {draft.isPending ? 'Writing…' : 'Write the file'}
        </button>
      </form>
      <div aria-live="polite">
        {faults.length > 0 ? (
          <Message tone="danger" role="alert" title="No endpoint can be made from this query">
            <ul className={styles.faults}>
              {faults.map(({ reason, line, column }) => (
                <li key={reason}>
                  {line !== undefined && `Line ${line}, column ${column}: `}
                  {reason}
                </li>
              ))}
            </ul>
          </Message>
        ) : (
          draft.error !== null && <ErrorMessage error={draft.error} />
        )}
        {draft.data !== undefined && <Draft draft={draft.data} />}
      </div>
    </details>
  );
}

function Draft({ draft: { name, file, text, notes } }: { readonly draft: DefinitionDraft }) {
  return (
    <div className={styles.draft}>
      <div className={styles.actions}>
        <strong className={styles.file}>{file}</strong>
        <Button size="small" icon="download" onClick={() => download(file, text)}>
          Download
        </Button>
      </div>
      <CodeBlock label={file} text={text} />
      {notes.length > 0 && (
        <ul className={styles.notes}>
          {notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
      <p>Next steps:</p>
      <ol className={styles.notes}>
        <li>
          Save the file as <code>endpoints/{file}</code>, or in the folder of <code>ENDPOINTS_DIR</code>. Improve its
          summary and descriptions.
        </li>
        <li>
          <code>npx repo-insight endpoint check endpoints/{file}</code> finds mistakes;{' '}
          <code>npx repo-insight endpoint test {name}</code> runs its examples.
        </li>
        <li>
          <code>npx repo-insight endpoint reload</code> serves it without a restart. Its page is then{' '}
          <code>/e/{name}</code>.
        </li>
      </ol>
    </div>
  );
}

function download(file: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/yaml' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = file;
  link.click();
  URL.revokeObjectURL(url);
}
