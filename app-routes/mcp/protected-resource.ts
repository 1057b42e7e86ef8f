import { exactObject, type JsonSchema } from '../../engine/http/json-schema.js';
import type { OpenOperation } from '../../engine/http/operations/operation.js';

/** The service as a protected resource of OAuth (RFC 9728), whose tokens another server issues. */
export interface ProtectedResource {
  /** The public URL of the service, without a slash at its end. */
  readonly publicUrl: string;
  /** The URL of the server that issues tokens. */
  readonly issuer: string;
  /** The name of the service. */
  readonly name: string;
}

const WELL_KNOWN = '/.well-known/oauth-protected-resource';
const MCP = '/mcp';

/** Returns the URL of the metadata for `/mcp`, for the header `WWW-Authenticate`. */
export function metadataUrlOf({ publicUrl }: ProtectedResource): string {
  // The URL is encoded, because a header cannot contain every character.
  return new URL(`${publicUrl}${WELL_KNOWN}${MCP}`).href;
}

/**
 * The operations with which clients find out where they get tokens. The identifier of the resource must be the URL into which the path of
 * the document is inserted, so there is one document for the whole service, and one for `/mcp` (RFC 9728, section 3.3).
 */
export function protectedResourceOperations(resource: ProtectedResource): OpenOperation[] {
  return [
    operationOf(resource, { id: 'oauth-protected-resource', place: '', of: 'the service' }),
    operationOf(resource, { id: 'oauth-protected-resource-mcp', place: MCP, of: '`/mcp`' }),
  ];
}

interface Place {
  readonly id: string;
  readonly place: string;
  readonly of: string;
}

function operationOf({ publicUrl, issuer, name }: ProtectedResource, { id, place, of }: Place): OpenOperation {
  const body = {
    resource: `${publicUrl}${place}`,
    authorization_servers: [issuer],
    bearer_methods_supported: ['header'],
    resource_name: name,
  };
  return {
    id,
    method: 'get',
    path: `${WELL_KNOWN}${place}`,
    tag: 'Service',
    summary: `Returns the metadata of ${of} as a protected resource of OAuth (RFC 9728)`,
    description:
      'Clients find out where they get a token. Available if the operator configures `PUBLIC_URL` and an issuer URL.',
    access: 'open',
    answer: METADATA,
    handle: () => ({ body }),
  };
}

const TEXT = { type: 'string' };
const listOf = (items: JsonSchema, description: string) => ({ type: 'array', items, description });
const METADATA = exactObject('ProtectedResourceMetadata', {
  resource: { ...TEXT, description: 'The identifier of the resource.' },
  authorization_servers: listOf(TEXT, 'The servers that issue tokens.'),
  bearer_methods_supported: listOf(TEXT, 'How requests send a token.'),
  resource_name: { ...TEXT, description: 'The name of the service.' },
});
