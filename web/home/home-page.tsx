import { Card } from '../parts/layout/card.js';
import { PageHeader } from '../parts/layout/page-header.js';
import { CoverageCard } from './coverage/coverage-card.js';
import { Developers } from './developers.js';
import { Examples } from './examples.js';
import { FirstSteps } from './first-steps/first-steps.js';
import { useStoredData } from './first-steps/use-stored-data.js';
import { FastestCollections } from './growth/fastest-collections.js';
import styles from './home.module.css';
import { HotCollections } from './hot-collections.js';
import { Movers } from './movers.js';
import { Trending } from './trending.js';

/** The start page: what grows, what trends, and how complete the data are. Without such data, it shows how to get them. */
export function HomePage() {
  const stored = useStoredData();
  const [hasEvents, hasCollections] = [stored.events !== false, stored.collections !== false];
  return (
    <div className={styles.page}>
      <PageHeader
        title="What happens in open source"
        windowTitle="Start"
        description="Stars, issues, pull requests and people of public repositories on GitHub. Every number has a page with its query, a chart to share and an API."
      />
      {!(hasEvents && hasCollections) && (
        <div className={styles.wide}>
          <FirstSteps {...stored} />
        </div>
      )}
      {hasEvents && (
        <div className={styles.wide}>
          <Movers />
        </div>
      )}
      {hasCollections && (
        <div className={styles.wide}>
          <FastestCollections />
        </div>
      )}
      {hasEvents && (
        <div className={hasCollections ? styles.main : styles.wide}>
          <Trending />
        </div>
      )}
      {hasCollections && (
        <div className={hasEvents ? styles.side : styles.wide}>
          <HotCollections />
        </div>
      )}
      {hasEvents && (
        <div className={styles.wide}>
          <CoverageCard />
        </div>
      )}
      <div className={styles.half}>
        <Card title="Start with a question" description="Each link opens a result that you can change.">
          <Examples />
        </Card>
      </div>
      <div className={styles.half}>
        <Developers />
      </div>
    </div>
  );
}
