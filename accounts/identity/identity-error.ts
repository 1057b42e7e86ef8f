/** Why a caller could not be identified. Each code is the error code of a response. */
export type IdentityErrorCode = 'credential_invalid' | 'sign_in_failed' | 'identity_unavailable';

/** Thrown for a rejected credential or sign-in. `message` may be shown to the caller; `cause` is for the log only. */
export class IdentityError extends Error {
  override readonly name = 'IdentityError';

  constructor(
    readonly code: IdentityErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

export function invalidCredential(message: string): IdentityError {
  return new IdentityError('credential_invalid', message);
}
