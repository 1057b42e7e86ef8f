import styles from './messages.module.css';

/** Reserves the space of content that is being loaded, so that the page does not move when it arrives. */
export function Loading({ height = 160, label = 'Loading' }: { readonly height?: number; readonly label?: string }) {
  return (
    <div className={styles.loading} style={{ height }} role="status">
      <span className={styles.hidden}>{label}</span>
    </div>
  );
}
