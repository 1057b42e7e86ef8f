import { EngineError } from '../../engine/interface/errors.js';

/** Resolves to the error of the work. Throws if it succeeds. */
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

/** Resolves to the message of the error's cause, which is for the log, or else to the error's own message. */
export async function loggedOf(work: Promise<unknown>): Promise<string> {
  const { message, cause } = await errorOf(work);
  return cause instanceof Error ? cause.message : message;
}

/** Resolves to the code of the EngineError of the work, to `no error` if it succeeds, and to any other error as text. */
export async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return 'no error';
  } catch (error) {
    return error instanceof EngineError ? error.code : String(error);
  }
}
