import { Card } from '../parts/layout/card.js';
import { PageHeader } from '../parts/layout/page-header.js';
import { CoverageCard } from './coverage/coverage-card.js';
import { Developers } from './developers.js';
import { Examples } from './examples.js';
import { FastestCollections } from './growth/fastest-collections.js';
import styles from './home.module.css';
import { HotCollections } from './hot-collections.js';
import { Trending } from './trending.js';

/** The start page: what grows, what trends, and how complete the data are. */
export function HomePage() {
  return (
    <div className={styles.page}>
      <PageHeader
        title="What happens in open source"
        windowTitle="Start"
        description="Stars, issues, pull requests and people of public repositories on GitHub. Every number has a page with its query, a chart to share and an API."
      />
      <div className={styles.wide}>
        <FastestCollections />
      </div>
      <div className={styles.main}>
        <Trending />
      </div>
      <div className={styles.side}>
        <HotCollections />
      </div>
      <div className={styles.wide}>
        <CoverageCard />
      </div>
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
