import { OWN_API } from '../app/own-api.js';
import { EndpointGroups } from '../endpoint/endpoint-groups.js';
import { PageHeader } from '../parts/layout/page-header.js';

/** The start page of an API in a folder: what it is about, and its endpoints. */
export function OwnHomePage() {
  return (
    <article>
      <PageHeader title={OWN_API?.name} windowTitle="Start" description={OWN_API?.description} />
      <EndpointGroups filter="" />
    </article>
  );
}
