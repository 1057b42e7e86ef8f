import { Badge } from '../../parts/layout/badge.js';
import { Card } from '../../parts/layout/card.js';
import { CodeBlock } from '../../parts/layout/code-block.js';
import { Icon } from '../../parts/layout/icon.js';
import styles from './first-steps.module.css';
import type { StoredData } from './use-stored-data.js';

interface Step {
  readonly title: string;
  readonly text: string;
  readonly command: string;
  /** Whether the step is done; undefined if the console cannot know it, or does not know it yet. */
  readonly isDone?: boolean | undefined;
}

/** The steps from an empty database to a complete service, with their commands. */
export function FirstSteps({ events, collections }: StoredData) {
  const steps: readonly Step[] = [
    {
      title: 'Import events',
      text: 'This command imports the last 24 hours of the public archive, about 4 million events.',
      command: 'repo-insight data follow --once',
      isDone: events,
    },
    {
      title: 'Load collections',
      text: 'A YAML or JSON file with names and repositories. Collections have rankings and a history of their growth.',
      command: 'repo-insight data collections collections.yaml',
      isDone: collections,
    },
    {
      title: 'Track repositories',
      text: 'The archive lacks many stars, issues and pull requests. With a token, the service reads those of tracked repositories from GitHub.',
      command: 'GITHUB_TOKEN=… repo-insight data track add owner/name',
    },
    {
      title: 'Keep the data current',
      text: 'The service then imports each hour when the archive publishes it, and reads the tracked repositories again.',
      command: 'FOLLOW_ARCHIVE=yes TRACK_REPOSITORIES=yes repo-insight serve',
    },
  ];
  return (
    <Card
      title="First steps"
      description="The database does not have all data yet. Run these commands with the settings of the service. If it uses the embedded database, stop it first."
    >
      <ol className={styles.steps}>
        {steps.map((step) => (
          <li key={step.title}>
            <StepPart {...step} />
          </li>
        ))}
      </ol>
    </Card>
  );
}

function StepPart({ title, text, command, isDone }: Step) {
  return (
    <>
      <h3>
        {title}{' '}
        {isDone === true && (
          <Badge tone="good">
            <Icon name="check" /> done
          </Badge>
        )}
      </h3>
      <p>{text}</p>
      {isDone !== true && <CodeBlock label={title} text={command} />}
    </>
  );
}
