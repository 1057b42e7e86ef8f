/** The way in which a request specifies JSON output and limits. Servers support different parameters. */
export interface RequestForm {
  readonly format: 'json_schema' | 'json_object' | 'text';
  readonly limit: 'max_completion_tokens' | 'max_tokens';
  /** Whether the request asks for the number of used tokens. */
  readonly hasUsage: boolean;
}

/** The form that leads to the best answers. */
const BEST_FORM: RequestForm = { format: 'json_schema', limit: 'max_completion_tokens', hasUsage: true };

/**
 * Returns the form to try after a server rejected `form`; undefined if there is no simpler form. `reason` is the error text of the server.
 * If the message contains the name of a parameter, only this parameter is changed.
 */
export function simplifyForm(form: RequestForm, reason: string): RequestForm | undefined {
  if (form.hasUsage && /stream_options|include_usage/.test(reason)) return { ...form, hasUsage: false };
  if (form.limit === 'max_completion_tokens' && reason.includes('max_completion_tokens')) {
    return { ...form, limit: 'max_tokens' };
  }
  if (form.format === 'json_schema') return { ...form, format: 'json_object' };
  return form.format === 'json_object' ? { ...form, format: 'text' } : undefined;
}

/** Returns the parameters of a form for the client library. */
export function formParameters(
  { format, limit, hasUsage }: RequestForm,
  { name, schema }: { readonly name: string; readonly schema: Readonly<Record<string, unknown>> },
  maxTokens: number,
) {
  return {
    [limit]: maxTokens,
    ...(hasUsage ? { stream_options: { include_usage: true } } : {}),
    ...(format === 'json_schema'
      ? { response_format: { type: 'json_schema' as const, json_schema: { name, schema, strict: true } } }
      : {}),
    ...(format === 'json_object' ? { response_format: { type: 'json_object' as const } } : {}),
  };
}

/** Caches the form that a server last accepted, so that only the first questions try other forms. */
export class FormMemory {
  #accepted = BEST_FORM;

  get accepted(): RequestForm {
    return this.#accepted;
  }

  remember(form: RequestForm): void {
    this.#accepted = form;
  }
}
