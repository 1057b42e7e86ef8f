export interface SearchResult {
  /** The path of the page, below the root of the service. */
  readonly path: string;
  readonly title: string;
  readonly detail?: string;
  /** Whether the page is outside of the console, such as the API reference. */
  readonly isOutside?: boolean;
}
