import styles from './result.module.css';

const PATHS = {
  clock: 'M8 1.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13Zm0 2.5v4.2l2.8 1.6',
  warning: 'M8 1.8 15 14H1L8 1.8Zm0 4.4v3.6m0 1.6v.9',
  cut: 'M2 4h12M2 8h8M2 12h4m5-1 2.5 2.5M13.5 11 11 13.5',
  info: 'M8 1.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13Zm0 5.6v4.2m0-6.5v.9',
  speed: 'M9 1.5 3.5 9H8l-1 5.5L12.5 7H8l1-5.5Z',
} as const;

export type IconName = keyof typeof PATHS;

/** A symbol beside a text with the same meaning. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg className={styles.icon} viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}
