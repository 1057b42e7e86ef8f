import { EngineError } from '../../engine/databases/interface/errors.js';

/** Resolves to the error with which the work fails. Throws if the work succeeds. */
export async function errorOf(work: Promise<unknown>): Promise<Error> {
  try {
    await work;
  } catch (error) {
    return error as Error;
  }
  throw new Error('Expected an error, but the work succeeded.');
}

export async function messageOf(work: Promise<unknown>): Promise<string> {
  return (await errorOf(work)).message;
}

/** Resolves to the message that would be logged: the message of the error's cause, or of the error itself if it has no cause. */
export async function loggedOf(work: Promise<unknown>): Promise<string> {
  const { message, cause } = await errorOf(work);
  return cause instanceof Error ? cause.message : message;
}

/**
 * Resolves to the code of the EngineError with which the work fails, or to `no error` if it succeeds. Other errors are returned as text.
 */
export async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return 'no error';
  } catch (error) {
    return error instanceof EngineError ? error.code : String(error);
  }
}
