import { useState } from 'react';
import type { DefinitionDetails } from '../api/definitions.js';
import { ROOT_URL } from '../app/root-url.js';
import { CopyButton } from '../parts/copy/copy-button.js';
import type { ParameterTexts } from '../parts/form/parameter-values.js';
import { Tabs } from '../parts/tabs/tabs.js';
import styles from './endpoint.module.css';
import { PlanPanel } from './plan-panel.js';
import {
  curlCommand,
  frameSnippet,
  imageSnippet,
  pathUrl,
  pythonSnippet,
  queryUrl,
  type SnippetRequest,
  typescriptSnippet,
} from './snippets.js';

export interface RequestPanelProps {
  readonly definition: DefinitionDetails;
  readonly values: ParameterTexts;
  /** The values of the view that images and frames know. */
  readonly view: ParameterTexts;
  /** The SQL of the answer; absent before there is one. */
  readonly sql: string | undefined;
}

const TABS = [
  { name: 'url', label: 'URL' },
  { name: 'curl', label: 'curl' },
  { name: 'typescript', label: 'TypeScript' },
  { name: 'python', label: 'Python' },
  { name: 'sql', label: 'SQL' },
  { name: 'plan', label: 'Plan' },
  { name: 'embed', label: 'Embed' },
] as const;

type TabName = (typeof TABS)[number]['name'];

/** The same request in other programs. */
export function RequestPanel({ definition, values, view, sql }: RequestPanelProps) {
  const [tab, setTab] = useState<TabName>('url');
  const request: SnippetRequest = { definition, values, root: ROOT_URL.href };
  return (
    <Tabs label="Request" tabs={TABS} chosen={tab} onChoose={setTab}>
      {tab === 'plan' ? (
        <PlanPanel name={definition.name} values={values} />
      ) : (
        <div className={styles.snippets}>
          {snippetsOf(tab, request, view, sql).map(({ title, text }) => (
            <Snippet key={title} title={title} text={text} />
          ))}
        </div>
      )}
    </Tabs>
  );
}

interface TitledText {
  readonly title: string;
  readonly text: string | undefined;
}

function snippetsOf(
  tab: TabName,
  request: SnippetRequest,
  view: ParameterTexts,
  sql: string | undefined,
): readonly TitledText[] {
  const path = pathUrl(request);
  const versioned = path === undefined ? [] : [{ title: 'Versioned API', text: path }];
  switch (tab) {
    case 'url':
      return [...versioned, { title: 'By name, with JSON values', text: queryUrl(request) }];
    case 'curl':
      return [{ title: 'curl', text: curlCommand(path ?? queryUrl(request)) }];
    case 'typescript':
      return [{ title: 'TypeScript', text: typescriptSnippet(request) }];
    case 'python':
      return [{ title: 'Python', text: pythonSnippet(request) }];
    case 'embed':
      return [
        { title: 'Frame for a web page (HTML)', text: frameSnippet(request, view) },
        { title: 'Image for a README (Markdown)', text: imageSnippet(request, view) },
      ];
    default:
      return [{ title: 'SQL of this answer, in the dialect of the definition', text: sql }];
  }
}

function Snippet({ title, text }: TitledText) {
  return (
    <div>
      <div className={styles.snippetBar}>
        <span>{title}</span>
        {text !== undefined && <CopyButton text={text} label="Copy" what={title} />}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must reach an area that scrolls */}
      <pre className={styles.code} tabIndex={0}>
        <code>{text ?? 'Run the query first.'}</code>
      </pre>
    </div>
  );
}
