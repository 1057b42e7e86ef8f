-- repeated-sum
SELECT d.model, SUM(m.cost) AS cost, COUNT(a.id) AS alerts FROM devices d JOIN maintenance m ON m.device_id = d.id JOIN sensors s ON s.device_id = d.id JOIN alerts a ON a.sensor_id = s.id GROUP BY d.model ORDER BY d.model;

-- repeated-sum
SELECT s.region, COUNT(*) AS sites FROM sites s JOIN devices d ON d.site_id = s.id GROUP BY s.region ORDER BY s.region;

-- repeated-sum
SELECT s.id, COUNT(*) AS n FROM sensors s JOIN alerts a ON a.sensor_id = s.id JOIN calibrations c ON c.sensor_id = s.id GROUP BY s.id ORDER BY s.id;

-- left-join-counted
SELECT d.id, d.serial, COUNT(*) AS repairs FROM devices d LEFT JOIN maintenance m ON m.device_id = d.id GROUP BY d.id, d.serial ORDER BY repairs DESC, d.id;

-- left-join-filtered
SELECT s.id, a.id AS alert FROM sensors s LEFT JOIN alerts a ON a.sensor_id = s.id WHERE a.raised_at >= '2024-01-01' AND a.raised_at < '2024-02-01' ORDER BY s.id, a.id;

-- left-join-filtered
SELECT s.id FROM sensors s LEFT JOIN calibrations c ON c.sensor_id = s.id WHERE ABS(c.drift) > 1 ORDER BY s.id, c.id;

-- left-join-filtered
SELECT d.id FROM devices d LEFT JOIN maintenance m ON m.device_id = d.id WHERE m.technician REGEXP '^A' ORDER BY d.id, m.id;

-- missing-join-condition
SELECT s.name, d.serial FROM sites s, devices d WHERE d.status = 'online' ORDER BY s.id, d.serial;

-- compared-with-itself
SELECT d.serial FROM devices d JOIN sensors s ON s.device_id = s.device_id WHERE d.status = 'online' ORDER BY d.serial, s.id;

-- not-in-nullable
SELECT DISTINCT technician FROM maintenance WHERE technician NOT IN (SELECT acknowledged_by FROM alerts) ORDER BY technician;

-- null-rows-dropped
SELECT serial FROM devices WHERE firmware <> '2.4.1' ORDER BY serial;

-- null-rows-dropped
SELECT d.serial FROM devices d JOIN sites s ON s.id = d.site_id WHERE d.firmware NOT IN ('2.4.0', '2.4.1') AND s.region = 'north' ORDER BY d.serial;

-- average-of-averages
SELECT s.kind, AVG(x.average) AS average FROM sensors s JOIN (SELECT sensor_id, AVG(value) AS average FROM readings GROUP BY sensor_id) x ON x.sensor_id = s.id GROUP BY s.kind ORDER BY s.kind;

-- union-drops-rows
SELECT SUM(cost) AS cost FROM (SELECT cost FROM maintenance WHERE technician = 'Ann' UNION SELECT cost FROM maintenance WHERE technician = 'Bob') x;

-- truncated-ratio
SELECT sensor_id, (100 * COUNT(value)) DIV COUNT(*) AS valid_percent FROM readings GROUP BY sensor_id ORDER BY sensor_id;

-- doubtful-date-format
SELECT DATE_FORMAT(measured_at, '%h') AS hour, AVG(value) AS average FROM readings GROUP BY hour ORDER BY hour;

-- doubtful-date-format
SELECT TIME_FORMAT(measured_at, '%h:%i') AS minute, AVG(value) AS average FROM readings GROUP BY minute ORDER BY minute;

-- week-without-year
SELECT sensor_id, WEEK(measured_at) AS week, MAX(value) AS peak FROM readings GROUP BY sensor_id, week ORDER BY sensor_id, week;

-- limit-without-order
SELECT r.sensor_id, AVG(r.value) AS average FROM (SELECT sensor_id, value FROM readings WHERE quality > 50 LIMIT 10000) r GROUP BY r.sensor_id ORDER BY r.sensor_id;

-- unordered-list
SELECT d.id, GROUP_CONCAT(s.kind) AS kinds FROM devices d JOIN sensors s ON s.device_id = d.id GROUP BY d.id ORDER BY d.id;

-- last-value-frame
SELECT sensor_id, measured_at, LAST_VALUE(value) OVER (PARTITION BY sensor_id ORDER BY measured_at) AS closing FROM readings ORDER BY sensor_id, measured_at;

-- unstable-row-number
SELECT sensor_id, level FROM (SELECT id, sensor_id, level, ROW_NUMBER() OVER (PARTITION BY sensor_id ORDER BY raised_at DESC) AS n FROM alerts) x WHERE x.n = 1 ORDER BY sensor_id, level;

-- unknown-enum-value
SELECT COUNT(*) AS n FROM alerts WHERE level IN ('warn', 'critical');

-- unknown-enum-value
SELECT COUNT(*) AS n FROM devices d WHERE 'broken' = d.status;
