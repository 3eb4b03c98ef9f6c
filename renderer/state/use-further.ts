import { useEffect, useState } from 'react';

/** What a list that is read page by page is read with. */
interface Pages {
  data: { pages: readonly unknown[] } | undefined;
  hasNextPage: boolean;
  isFetching: boolean;
  isError: boolean;
  fetchNextPage(): Promise<unknown>;
}

/**
 * Reads the next page of a list once somebody asks for it. What makes the list be read anew ends a reading that is under way, and
 * would take the press with it: the page is asked for again until it is there.
 */
export function useFurther({ data, hasNextPage, isFetching, isError, fetchNextPage }: Pages): {
  isAsked: boolean;
  further(): void;
} {
  const [wanted, setWanted] = useState(0);
  const read = data?.pages.length ?? 0;
  const isAsked = hasNextPage && wanted > read;
  useEffect(() => {
    if (isAsked && !isFetching && !isError) void fetchNextPage();
  }, [isAsked, isFetching, isError, fetchNextPage]);
  return {
    isAsked,
    further: () => {
      setWanted(read + 1);
      if (isError) void fetchNextPage();
    },
  };
}
