declare module 'fs-native-extensions' {
  /** Acquires the lock of an open file. Returns false if another descriptor, of any process, holds it. */
  export function tryLock(descriptor: number): boolean;
}
