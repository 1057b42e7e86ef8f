import { useState } from 'react';
import type { DefinitionDetails } from '../../api/definitions.js';
import { ROOT_URL } from '../../app/root-url.js';
import type { ParameterTexts } from '../../parts/form/parameter-values.js';
import { CodeBlock } from '../../parts/layout/code-block.js';
import { Tabs } from '../../parts/layout/tabs.js';
import { Empty } from '../../parts/messages/empty.js';
import { queryUrl } from '../../parts/share/share-links.js';
import { SqlCode } from '../../parts/sql/sql-code.js';
import { PlanPanel } from './plan-panel.js';
import styles from './request.module.css';
import { curlCommand, pathUrl, pythonSnippet, type SnippetRequest, typescriptSnippet } from './snippets.js';

export interface RequestPanelProps {
  readonly definition: DefinitionDetails;
  readonly values: ParameterTexts;
  /** Whether all required parameters have valid values. */
  readonly isReady: boolean;
  /** The SQL of the answer; absent before there is one. */
  readonly sql: string | undefined;
}

const TABS = [
  { id: 'url', label: 'URL' },
  { id: 'curl', label: 'curl' },
  { id: 'typescript', label: 'TypeScript' },
  { id: 'python', label: 'Python' },
  { id: 'sql', label: 'SQL' },
  { id: 'plan', label: 'Plan' },
] as const;

type TabId = (typeof TABS)[number]['id'];

/** Shows how to send the same request with other programs. */
export function RequestPanel({ definition, values, isReady, sql }: RequestPanelProps) {
  const [tab, setTab] = useState<TabId>('url');
  const request: SnippetRequest = { definition, values, root: ROOT_URL.href };
  return (
    <Tabs label="Request" tabs={TABS} selected={tab} onSelect={setTab}>
      {!isReady ? (
        <Empty icon="code" title="Set the parameters first">
          The request appears here when the form has valid values.
        </Empty>
      ) : tab === 'plan' ? (
        <PlanPanel name={definition.name} values={values} />
      ) : tab === 'sql' && sql !== undefined ? (
        <SqlCode sql={sql} />
      ) : (
        <div className={styles.snippets}>
          {snippetsOf(tab, request).map(({ title, text }) => (
            <div key={title}>
              <p>{title}</p>
              <CodeBlock label={title} text={text} />
            </div>
          ))}
        </div>
      )}
    </Tabs>
  );
}

interface TitledText {
  readonly title: string;
  readonly text: string;
}

function snippetsOf(tab: TabId, request: SnippetRequest): readonly TitledText[] {
  const path = pathUrl(request);
  const versioned = path === undefined ? [] : [{ title: 'Versioned API: cells are text', text: path }];
  switch (tab) {
    case 'url':
      return [...versioned, { title: 'By name: cells are numbers, text or null', text: queryUrl(request) }];
    case 'curl':
      return [{ title: 'For shells', text: curlCommand(path ?? queryUrl(request), request.definition) }];
    case 'typescript':
      return [{ title: 'With the generated client', text: typescriptSnippet(request) }];
    case 'python':
      return [{ title: 'With the standard library', text: pythonSnippet(request) }];
    default:
      return [{ title: 'SQL', text: 'There is no answer yet.' }];
  }
}
