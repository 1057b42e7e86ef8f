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

/**
 * Resolves to the message that the log contains: that of the cause of the error, or that of the error if it has no
 * cause.
 */
export async function loggedOf(work: Promise<unknown>): Promise<string> {
  const { message, cause } = await errorOf(work);
  return cause instanceof Error ? cause.message : message;
}

/**
 * Resolves to the code of the EngineError of the work, to `no error` if it succeeds, and to any other error as text.
 */
export async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return 'no error';
  } catch (error) {
    return error instanceof EngineError ? error.code : String(error);
  }
}
