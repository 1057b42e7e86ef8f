import { Link } from '@tanstack/react-router';
import type { DefinitionDetails } from '../api/definitions.js';
import { PageHeader } from '../parts/layout/page-header.js';
import { Markdown } from '../parts/markdown/markdown.js';
import styles from './endpoint.module.css';
import { StateBadges } from './state-badges.js';

/** The title of an endpoint, its address, its state and its description. */
export function EndpointHead({ definition }: { readonly definition: DefinitionDetails }) {
  const { name, path, summary, description } = definition;
  const crumbs = (
    <>
      <Link to="/e">Endpoints</Link> / {name}
    </>
  );
  const text = description === null ? {} : { description: <Markdown text={description} level={3} /> };
  return (
    <PageHeader title={summary} eyebrow={crumbs} {...text}>
      <p className={styles.address}>
        <code>GET {path ?? `/q/${name}`}</code>
        <StateBadges {...definition} />
      </p>
    </PageHeader>
  );
}
