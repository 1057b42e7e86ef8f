import { EngineError } from '../../engine/interface/errors.js';

/** The error that the work ends with. */
export async function errorOf(work: Promise<unknown>): Promise<Error> {
  try {
    await work;
  } catch (error) {
    return error as Error;
  }
  throw new Error('This should have failed.');
}

export async function messageOf(work: Promise<unknown>): Promise<string> {
  return (await errorOf(work)).message;
}

/** What the log is told of the error that the work ends with. */
export async function loggedOf(work: Promise<unknown>): Promise<string> {
  const { message, cause } = await errorOf(work);
  return cause instanceof Error ? cause.message : message;
}

/** The code of the EngineError that the work ends with, or what else became of it. */
export async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return 'no error';
  } catch (error) {
    return error instanceof EngineError ? error.code : String(error);
  }
}
