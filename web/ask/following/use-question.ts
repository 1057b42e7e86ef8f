import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { isFinal, questionQuery } from '../../api/questions.js';
import { type Connection, followQuestion } from './follow-question.js';

/** Returns the record of a question, and updates it until the status is final. */
export function useQuestion(id: string) {
  const queryClient = useQueryClient();
  const { data, error, refetch } = useQuery(questionQuery(id));
  const [connection, setConnection] = useState<Connection>('events');
  const [lost, setLost] = useState<unknown>(null);
  const [attempt, setAttempt] = useState(0);
  const isOpen = data !== undefined && !isFinal(data.status);
  useEffect(() => {
    // `attempt` is used here so that each retry runs this effect again.
    if (!isOpen || attempt < 0) return;
    setLost(null);
    const controller = new AbortController();
    const { signal } = controller;
    followQuestion(id, {
      signal,
      onChange: (record) => queryClient.setQueryData(questionQuery(id).queryKey, record),
      onConnection: setConnection,
    }).catch((reason: unknown) => {
      if (!signal.aborted) setLost(reason);
    });
    return () => controller.abort();
  }, [id, isOpen, attempt, queryClient]);
  const retry = () => {
    setAttempt((count) => count + 1);
    void refetch();
  };
  return { record: data, error: error ?? lost, connection, retry };
}
