/** Days as `YYYY-MM-DD`. */
export interface DayRange {
  readonly from?: string;
  readonly to?: string;
}

export type TimeUnit = 'hour' | 'day' | 'week' | 'month' | 'quarter' | 'year';

/** A duration that ends now, as a number of time units. */
export interface Duration {
  readonly count: number;
  readonly unit: TimeUnit;
}

/** A value in a question that can become a parameter. `start` and `end` (exclusive) are indexes of its words. */
export type Slot = { readonly start: number; readonly end: number } & SlotValue;

export type SlotValue =
  /** `isGuessed`: the question contains the name of the repository without its owner. `isKnown`: the data contain the repository. */
  | {
      readonly kind: 'repository';
      readonly owner: string;
      readonly name: string;
      readonly others: readonly string[];
      readonly isGuessed: boolean;
      readonly isKnown: boolean;
    }
  | { readonly kind: 'collection'; readonly id: number; readonly name: string }
  /** A person or an organization. */
  | { readonly kind: 'account'; readonly login: string }
  /** `duration` is set if the range is also a duration such as `past_week`. `range` is absent if it is only a duration. */
  | { readonly kind: 'range'; readonly range?: DayRange | undefined; readonly duration?: Duration | undefined }
  | { readonly kind: 'interval'; readonly unit: TimeUnit }
  | { readonly kind: 'number'; readonly value: number }
  /** Rows that a boolean parameter `exclude_…` can exclude. */
  | { readonly kind: 'switch'; readonly rows: string; readonly isExcluded: boolean }
  | { readonly kind: 'order'; readonly values: RegExp }
  /** A value of an enum. */
  | { readonly kind: 'value'; readonly parameter: string; readonly value: string };
