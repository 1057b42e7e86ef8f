import styles from './messages.module.css';

interface LoadingProps {
  /** Pixels, or another CSS length. */
  readonly height?: number | string;
  readonly label?: string;
}

/** Reserves the space of content that is being loaded, so that the page does not move when it arrives. */
export function Loading({ height = 160, label = 'Loading' }: LoadingProps) {
  return (
    <div className={styles.loading} style={{ height }} aria-busy="true">
      <span className={styles.hidden} role="status">
        {label}
      </span>
    </div>
  );
}
