import { Link } from '@tanstack/react-router';
import { Icon, type IconName } from '../parts/layout/icon.js';
import styles from './home.module.css';

interface Example {
  readonly icon: IconName;
  readonly text: string;
  readonly name: string;
  readonly search?: Readonly<Record<string, string>>;
}

const EXAMPLES: readonly Example[] = [
  {
    icon: 'chart',
    text: 'Which Rust repositories trend this month?',
    name: 'list-trending-repos',
    search: { period: 'past_month', language: 'Rust' },
  },
  { icon: 'collection', text: 'How do collections grow over time?', name: 'collections-growth-history' },
  {
    icon: 'star',
    text: 'Which web frameworks gain the most stars?',
    name: 'collection-repo-ranking-by-stars',
    search: { collection_id: '1' },
  },
  { icon: 'calendar', text: 'Where are gaps in the data?', name: 'data-gaps' },
];

/** Results that show what the service can answer, and links with which readers can ask other questions. */
export function Examples() {
  return (
    <ul className={styles.list}>
      {EXAMPLES.map(({ icon, text, name, search }) => (
        <li key={text} className={styles.line}>
          <Icon name={icon} />
          <Link to="/e/$name" params={{ name }} {...(search !== undefined && { search })}>
            {text}
          </Link>
        </li>
      ))}
      <li className={styles.line}>
        <Icon name="search" />
        <span>
          <Link to="/ask">Ask in your own words</Link>, or <Link to="/playground">write SQL</Link>.
        </span>
      </li>
    </ul>
  );
}
