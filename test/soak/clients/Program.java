import java.time.LocalDate;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.CollectionsApi;
import org.openapitools.client.api.IssueCreatorsApi;
import org.openapitools.client.model.Failure;

public class Program {
  public static void main(String[] given) throws Exception {
    ApiClient client = new ApiClient();
    client.updateBaseUri(given[0]);
    CollectionsApi collections = new CollectionsApi(client);
    IssueCreatorsApi issues = new IssueCreatorsApi(client);
    collections.listCollections(null, null, null, null).getData().getRows().forEach(row -> System.out.println(row.getName()));
    collections
        .collectionRepoRankingByStars(1L, "past_month", null, null, null, null)
        .getData()
        .getRows()
        .forEach(row -> System.out.println(row.getRepoName()));
    issues
        .listIssueCreators(given[1], given[2], null, null, 2L, 3L, null, null, null, null, null)
        .getData()
        .getRows()
        .forEach(row -> System.out.println(row.getLogin()));
    try {
      LocalDate from = LocalDate.of(2026, 1, 2);
      issues.issueCreatorsHistory(given[1], given[2], null, from, from.minusDays(1), null, null, null, null);
    } catch (ApiException error) {
      Failure failure = client.getObjectMapper().readValue(error.getResponseBody(), Failure.class);
      System.out.println(failure.getData().getResult().getError() + " " + failure.getData().getResult().getCode());
    }
  }
}
