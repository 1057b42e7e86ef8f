import { Link } from '@tanstack/react-router';
import { ROOT_URL } from '../app/root-url.js';
import { ButtonLink } from '../parts/layout/button.js';
import { Card } from '../parts/layout/card.js';
import { CodeBlock } from '../parts/layout/code-block.js';
import { Toolbar } from '../parts/layout/toolbar.js';
import styles from './home.module.css';

/** Shows how programs can request the same data. */
export function Developers() {
  const url = new URL('q/list-trending-repos?period=past_week', ROOT_URL).href;
  return (
    <Card title="For developers" description="Each result here is an HTTP request. No account is needed.">
      <CodeBlock label="Request with curl" text={`curl '${url}'`} />
      <p className={styles.soft}>
        Each <Link to="/e">endpoint</Link> shows its request as curl, TypeScript, Python and SQL. A new endpoint is one
        file.
      </p>
      <Toolbar>
        <ButtonLink href="docs" icon="code" size="small">
          API reference
        </ButtonLink>
        <ButtonLink href="openapi.json" icon="download" size="small">
          OpenAPI
        </ButtonLink>
      </Toolbar>
    </Card>
  );
}
