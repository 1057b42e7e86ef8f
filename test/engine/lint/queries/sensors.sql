SELECT region, COUNT(*) AS sites FROM sites GROUP BY region ORDER BY region;

SELECT s.name, COUNT(d.id) AS devices FROM sites s LEFT JOIN devices d ON d.site_id = s.id AND d.retired_on IS NULL GROUP BY s.id, s.name ORDER BY devices DESC, s.id;

SELECT model, status, COUNT(*) AS devices FROM devices GROUP BY model, status ORDER BY model, status;

SELECT model, COUNT(*) AS devices, COUNT(firmware) AS with_firmware FROM devices GROUP BY model ORDER BY model;

SELECT COALESCE(firmware, 'unknown') AS firmware, COUNT(*) AS devices FROM devices GROUP BY COALESCE(firmware, 'unknown') ORDER BY devices DESC, firmware;

SELECT sensor_id, AVG(value) AS average, MIN(value) AS lowest, MAX(value) AS highest FROM readings WHERE measured_at >= '2024-05-01' AND measured_at < '2024-06-01' GROUP BY sensor_id ORDER BY sensor_id;

SELECT sensor_id, DATE(measured_at) AS day, AVG(value) AS average, COUNT(value) AS valid, COUNT(*) AS readings FROM readings GROUP BY sensor_id, day ORDER BY sensor_id, day;

SELECT DATE_FORMAT(measured_at, '%Y-%m-%d %H:00') AS hour, AVG(value) AS average FROM readings WHERE sensor_id = 7 GROUP BY hour ORDER BY hour;

SELECT HOUR(measured_at) AS hour, AVG(value) AS average FROM readings WHERE quality >= 90 GROUP BY hour ORDER BY hour;

SELECT r.sensor_id, r.measured_at, r.value FROM readings r JOIN (SELECT sensor_id, MAX(measured_at) AS latest FROM readings GROUP BY sensor_id) l ON l.sensor_id = r.sensor_id AND l.latest = r.measured_at ORDER BY r.sensor_id;

SELECT sensor_id, measured_at, value FROM (SELECT sensor_id, measured_at, value, ROW_NUMBER() OVER (PARTITION BY sensor_id ORDER BY measured_at DESC) AS n FROM readings) x WHERE n = 1 ORDER BY sensor_id;

SELECT s.id, s.kind, r.value, r.measured_at FROM sensors s LEFT JOIN readings r ON r.sensor_id = s.id AND r.measured_at = (SELECT MAX(i.measured_at) FROM readings i WHERE i.sensor_id = s.id) ORDER BY s.id;

SELECT s.id FROM sensors s WHERE NOT EXISTS (SELECT 1 FROM readings r WHERE r.sensor_id = s.id AND r.measured_at >= '2024-06-01') ORDER BY s.id;

SELECT s.id, s.kind FROM sensors s LEFT JOIN calibrations c ON c.sensor_id = s.id WHERE c.id IS NULL ORDER BY s.id;

SELECT s.id, MAX(c.calibrated_on) AS calibrated FROM sensors s LEFT JOIN calibrations c ON c.sensor_id = s.id GROUP BY s.id HAVING calibrated IS NULL OR calibrated < '2023-06-01' ORDER BY s.id;

SELECT s.kind, AVG(r.value) AS average FROM sensors s JOIN readings r ON r.sensor_id = s.id GROUP BY s.kind ORDER BY s.kind;

SELECT si.region, s.kind, AVG(r.value) AS average FROM readings r JOIN sensors s ON s.id = r.sensor_id JOIN devices d ON d.id = s.device_id JOIN sites si ON si.id = d.site_id WHERE r.measured_at >= '2024-01-01' GROUP BY si.region, s.kind ORDER BY si.region, s.kind;

SELECT si.name, COUNT(DISTINCT d.id) AS devices, COUNT(s.id) AS sensors FROM sites si LEFT JOIN devices d ON d.site_id = si.id LEFT JOIN sensors s ON s.device_id = d.id GROUP BY si.id, si.name ORDER BY si.name, si.id;

SELECT si.name, COUNT(*) AS alerts, SUM(a.level = 'critical') AS critical FROM alerts a JOIN sensors s ON s.id = a.sensor_id JOIN devices d ON d.id = s.device_id JOIN sites si ON si.id = d.site_id WHERE a.raised_at >= '2024-01-01' GROUP BY si.id, si.name ORDER BY alerts DESC, si.id;

SELECT level, COUNT(*) AS alerts, COUNT(cleared_at) AS cleared, COUNT(acknowledged_by) AS acknowledged FROM alerts GROUP BY level ORDER BY level;

SELECT level, AVG(TIMESTAMPDIFF(MINUTE, raised_at, cleared_at)) AS minutes FROM alerts WHERE cleared_at IS NOT NULL GROUP BY level ORDER BY level;

SELECT acknowledged_by, COUNT(*) AS alerts FROM alerts WHERE acknowledged_by IS NOT NULL GROUP BY acknowledged_by ORDER BY alerts DESC, acknowledged_by;

SELECT id, raised_at FROM alerts WHERE cleared_at IS NULL AND level IN ('warning', 'critical') ORDER BY raised_at, id;

SELECT a.id, a.raised_at, r.value FROM alerts a LEFT JOIN readings r ON r.sensor_id = a.sensor_id AND r.measured_at = a.raised_at ORDER BY a.id;

SELECT sensor_id, measured_at, value, value - LAG(value) OVER (PARTITION BY sensor_id ORDER BY measured_at) AS delta FROM readings ORDER BY sensor_id, measured_at;

SELECT sensor_id, measured_at, AVG(value) OVER (PARTITION BY sensor_id ORDER BY measured_at ROWS BETWEEN 11 PRECEDING AND CURRENT ROW) AS smooth FROM readings ORDER BY sensor_id, measured_at;

SELECT sensor_id, COUNT(*) AS gaps FROM (SELECT sensor_id, TIMESTAMPDIFF(MINUTE, LAG(measured_at) OVER (PARTITION BY sensor_id ORDER BY measured_at), measured_at) AS minutes FROM readings) x WHERE minutes > 15 GROUP BY sensor_id ORDER BY gaps DESC, sensor_id;

SELECT sensor_id, measured_at, status FROM (SELECT sensor_id, measured_at, quality >= 50 AS status, LAG(quality >= 50) OVER (PARTITION BY sensor_id ORDER BY measured_at) AS before_status FROM readings) x WHERE before_status IS NULL OR before_status <> status ORDER BY sensor_id, measured_at;

SELECT sensor_id, measured_at FROM (SELECT sensor_id, measured_at, value, LAG(value) OVER (PARTITION BY sensor_id ORDER BY measured_at) AS earlier FROM readings) x WHERE value <> earlier ORDER BY sensor_id, measured_at;

SELECT r.sensor_id, COUNT(*) AS outside FROM readings r JOIN sensors s ON s.id = r.sensor_id WHERE r.value < s.min_value OR r.value > s.max_value GROUP BY r.sensor_id ORDER BY outside DESC, r.sensor_id;

SELECT r.sensor_id, r.measured_at, r.value FROM readings r JOIN sensors s ON s.id = r.sensor_id WHERE r.value NOT BETWEEN s.min_value AND s.max_value ORDER BY r.sensor_id, r.measured_at;

SELECT r.sensor_id, SUM(r.value BETWEEN s.min_value AND s.max_value) / COUNT(*) AS share FROM readings r JOIN sensors s ON s.id = r.sensor_id GROUP BY r.sensor_id ORDER BY r.sensor_id;

SELECT d.model, COUNT(*) AS repairs, SUM(m.cost) AS cost FROM maintenance m JOIN devices d ON d.id = m.device_id GROUP BY d.model ORDER BY cost DESC, d.model;

SELECT d.model, COUNT(DISTINCT d.id) AS devices, COUNT(m.id) AS repairs, COUNT(m.id) / COUNT(DISTINCT d.id) AS per_device FROM devices d LEFT JOIN maintenance m ON m.device_id = d.id GROUP BY d.model ORDER BY per_device DESC, d.model;

SELECT d.id, d.serial, COALESCE(m.repairs, 0) AS repairs, COALESCE(a.alerts, 0) AS alerts FROM devices d LEFT JOIN (SELECT device_id, COUNT(*) AS repairs FROM maintenance GROUP BY device_id) m ON m.device_id = d.id LEFT JOIN (SELECT s.device_id, COUNT(*) AS alerts FROM alerts x JOIN sensors s ON s.id = x.sensor_id GROUP BY s.device_id) a ON a.device_id = d.id ORDER BY d.id;

SELECT technician, COUNT(*) AS repairs, AVG(TIMESTAMPDIFF(HOUR, started_at, ended_at)) AS hours FROM maintenance WHERE ended_at IS NOT NULL AND technician IS NOT NULL GROUP BY technician ORDER BY repairs DESC, technician;

SELECT SUM(cost) AS cost FROM maintenance WHERE started_at >= '2024-01-01' AND started_at < '2025-01-01';

SELECT YEAR(started_at) AS year, SUM(cost) AS cost, COUNT(*) AS repairs, COUNT(cost) AS with_cost FROM maintenance GROUP BY year ORDER BY year;

SELECT id, serial FROM devices WHERE retired_on IS NULL AND installed_on < '2019-01-01' ORDER BY installed_on, id;

SELECT id, serial FROM devices WHERE id NOT IN (SELECT device_id FROM maintenance) ORDER BY id;

SELECT DISTINCT technician FROM maintenance WHERE technician IS NOT NULL AND technician NOT IN (SELECT acknowledged_by FROM alerts WHERE acknowledged_by IS NOT NULL) ORDER BY technician;

SELECT d.serial, d.firmware FROM devices d WHERE d.firmware IS NULL OR d.firmware <> '2.4.1' ORDER BY d.serial;

SELECT d.serial, d.firmware FROM devices d WHERE d.firmware IS NOT NULL AND d.firmware <> '2.4.1' ORDER BY d.serial;

SELECT d.serial FROM devices d JOIN sites s ON s.id = d.site_id WHERE s.region = 'north' AND d.status <> 'online' ORDER BY d.serial;

SELECT x.id, y.id AS twin FROM devices x JOIN devices y ON y.site_id = x.site_id AND y.model = x.model AND y.id > x.id WHERE x.firmware <> y.firmware ORDER BY x.id, y.id;

SELECT a.sensor_id, COUNT(*) AS overlapping FROM alerts a JOIN alerts b ON b.sensor_id = a.sensor_id AND b.id <> a.id AND b.raised_at < a.cleared_at AND b.cleared_at > a.raised_at GROUP BY a.sensor_id ORDER BY a.sensor_id;

SELECT d.day, s.id, COALESCE(r.readings, 0) AS readings FROM (SELECT DISTINCT DATE(measured_at) AS day FROM readings) d CROSS JOIN sensors s LEFT JOIN (SELECT sensor_id, DATE(measured_at) AS day, COUNT(*) AS readings FROM readings GROUP BY sensor_id, DATE(measured_at)) r ON r.sensor_id = s.id AND r.day = d.day ORDER BY d.day, s.id;

WITH daily AS (SELECT sensor_id, DATE(measured_at) AS day, AVG(value) AS average FROM readings GROUP BY sensor_id, DATE(measured_at))
SELECT day, MAX(average) AS warmest, MIN(average) AS coldest FROM daily GROUP BY day ORDER BY day;

WITH daily AS (SELECT sensor_id, DATE(measured_at) AS day, MAX(value) AS peak FROM readings GROUP BY sensor_id, DATE(measured_at))
SELECT sensor_id, AVG(peak) AS average_peak FROM daily GROUP BY sensor_id ORDER BY sensor_id;

WITH daily AS (SELECT sensor_id, DATE(measured_at) AS day, SUM(value) AS total, COUNT(value) AS n FROM readings GROUP BY sensor_id, DATE(measured_at))
SELECT sensor_id, SUM(total) / SUM(n) AS average FROM daily GROUP BY sensor_id ORDER BY sensor_id;

WITH limits AS (SELECT sensor_id, AVG(value) AS mean, STDDEV_SAMP(value) AS deviation FROM readings GROUP BY sensor_id)
SELECT r.sensor_id, r.measured_at, r.value FROM readings r JOIN limits l ON l.sensor_id = r.sensor_id WHERE ABS(r.value - l.mean) > 3 * l.deviation ORDER BY r.sensor_id, r.measured_at;

SELECT r.sensor_id, r.measured_at, r.value - a.average AS anomaly FROM readings r JOIN (SELECT sensor_id, HOUR(measured_at) AS hour, AVG(value) AS average FROM readings GROUP BY sensor_id, HOUR(measured_at)) a ON a.sensor_id = r.sensor_id AND a.hour = HOUR(r.measured_at) ORDER BY r.sensor_id, r.measured_at;

SELECT AVG(readings) AS readings_per_sensor FROM (SELECT sensor_id, COUNT(*) AS readings FROM readings GROUP BY sensor_id) x;

SELECT 'alert' AS event, sensor_id, raised_at AS at FROM alerts UNION ALL SELECT 'calibration', sensor_id, CAST(calibrated_on AS DATETIME) FROM calibrations ORDER BY at, event, sensor_id;

SELECT sensor_id FROM alerts UNION SELECT sensor_id FROM calibrations ORDER BY sensor_id;

SELECT COUNT(*) AS sensors FROM (SELECT sensor_id FROM alerts WHERE level = 'critical' UNION SELECT sensor_id FROM calibrations WHERE drift > 1) x;

SELECT sensor_id, GROUP_CONCAT(DISTINCT level ORDER BY level SEPARATOR '/') AS levels FROM alerts GROUP BY sensor_id ORDER BY sensor_id;

SELECT d.id, GROUP_CONCAT(DISTINCT s.kind ORDER BY s.kind) AS kinds FROM devices d JOIN sensors s ON s.device_id = d.id GROUP BY d.id ORDER BY d.id;

SELECT sensor_id, value, measured_at, FIRST_VALUE(value) OVER (PARTITION BY sensor_id, DATE(measured_at) ORDER BY measured_at) AS opening FROM readings ORDER BY sensor_id, measured_at;

SELECT sensor_id, measured_at, LAST_VALUE(value) OVER (PARTITION BY sensor_id ORDER BY measured_at ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS current_value FROM readings ORDER BY sensor_id, measured_at;

SELECT d.status, COUNT(*) AS devices, ROUND(100 * COUNT(*) / (SELECT COUNT(*) FROM devices), 1) AS percent FROM devices d GROUP BY d.status ORDER BY d.status;

SELECT s.id, s.unit, s.max_value - s.min_value AS span FROM sensors s WHERE s.min_value IS NOT NULL AND s.max_value IS NOT NULL ORDER BY span DESC, s.id;

SELECT c.sensor_id, c.calibrated_on, c.drift FROM calibrations c WHERE c.calibrated_on = (SELECT MAX(x.calibrated_on) FROM calibrations x WHERE x.sensor_id = c.sensor_id) ORDER BY c.sensor_id, c.id;

SELECT sensor_id, AVG(ABS(drift)) AS drift, COUNT(*) AS calibrations FROM calibrations GROUP BY sensor_id HAVING AVG(ABS(drift)) > 0.5 ORDER BY drift DESC, sensor_id;

SELECT s.id, s.kind, (SELECT COUNT(*) FROM alerts a WHERE a.sensor_id = s.id AND a.level = 'critical') AS critical FROM sensors s ORDER BY critical DESC, s.id;

SELECT s.kind, SUM(x.alerts) AS alerts, COUNT(*) AS sensors FROM sensors s LEFT JOIN (SELECT sensor_id, COUNT(*) AS alerts FROM alerts GROUP BY sensor_id) x ON x.sensor_id = s.id GROUP BY s.kind ORDER BY s.kind;

SELECT name, latitude FROM sites WHERE latitude BETWEEN 50 AND 60 ORDER BY latitude DESC, name, id;

SELECT name FROM sites WHERE NOT (region = 'north') ORDER BY name, id;

SELECT MINUTE(measured_at) DIV 15 AS quarter, COUNT(*) AS readings FROM readings GROUP BY quarter ORDER BY quarter;

SELECT TIMESTAMPDIFF(MINUTE, '2024-01-01', measured_at) DIV 10 AS slot, AVG(value) AS average FROM readings WHERE sensor_id = 3 GROUP BY slot ORDER BY slot;

SELECT TIME_FORMAT(measured_at, '%H:%i') AS minute, AVG(value) AS average FROM readings WHERE sensor_id = 3 GROUP BY minute ORDER BY minute;

SELECT DATE_FORMAT(measured_at, '%x-W%v') AS week, MAX(value) AS peak FROM readings WHERE sensor_id = 3 GROUP BY week ORDER BY week;

SELECT d.id, m.id AS repair FROM devices d LEFT JOIN maintenance m ON m.device_id = d.id AND m.ended_at IS NULL WHERE d.status = 'faulty' AND (m.id IS NULL OR m.technician IS NULL) ORDER BY d.id, m.id;

SELECT s.id, COALESCE(a.level, 'none') AS level FROM sensors s LEFT JOIN alerts a ON a.sensor_id = s.id AND a.cleared_at IS NULL WHERE COALESCE(a.level, 'none') <> 'info' ORDER BY s.id, a.id;

SELECT DISTINCT m.technician FROM maintenance m LEFT JOIN alerts a ON a.acknowledged_by = m.technician WHERE a.id IS NULL ORDER BY m.technician;

SELECT COUNT(*) AS repairs, SUM(m.cost) AS cost FROM maintenance m LEFT JOIN alerts a ON a.acknowledged_by = m.technician WHERE a.id IS NULL;

SELECT d.id, COUNT(*) AS sensors FROM devices d JOIN sensors s ON s.device_id = d.id GROUP BY d.id ORDER BY d.id;

SELECT d.model, COUNT(*) AS sensors, COUNT(DISTINCT s.device_id) AS devices FROM devices d JOIN sensors s ON s.device_id = d.id GROUP BY d.model ORDER BY d.model;

SELECT r.sensor_id, COUNT(*) AS readings FROM readings r JOIN alerts a ON a.sensor_id = r.sensor_id AND r.measured_at BETWEEN a.raised_at AND a.cleared_at GROUP BY r.sensor_id ORDER BY r.sensor_id;

SELECT SUM(r.value) AS total FROM readings r WHERE EXISTS (SELECT 1 FROM alerts a WHERE a.sensor_id = r.sensor_id AND a.raised_at = r.measured_at);

SELECT x.sensor_id, AVG(x.peak - x.low) AS swing FROM (SELECT sensor_id, DATE(measured_at) AS day, MAX(value) AS peak, MIN(value) AS low FROM readings GROUP BY sensor_id, DATE(measured_at)) x GROUP BY x.sensor_id ORDER BY x.sensor_id;

SELECT technician FROM maintenance WHERE technician IS NOT NULL AND technician <> 'Ann' UNION SELECT acknowledged_by FROM alerts WHERE acknowledged_by IS NOT NULL ORDER BY technician;

SELECT id FROM maintenance WHERE technician > 'M' AND technician <> 'Zoe' ORDER BY id;

SELECT m.id FROM maintenance m JOIN alerts a ON a.acknowledged_by = m.technician AND m.technician <> 'Ann' ORDER BY m.id, a.id;

SELECT d.serial FROM devices d WHERE NOT EXISTS (SELECT 1 FROM devices x WHERE x.site_id = d.site_id AND x.id <> d.id) ORDER BY d.serial;

-- unstable-pages
SELECT level, COUNT(*) AS alerts FROM alerts WHERE level <> 'info' GROUP BY level ORDER BY FIELD(level, 'critical', 'warning');

SELECT s.kind, d.serial FROM sites t JOIN devices d ON d.site_id = t.id JOIN sensors s ON s.device_id = d.id WHERE t.region = 'north' AND s.unit = 'C' ORDER BY d.serial, s.kind, s.id;

SELECT sensor_id, measured_at, LAST_VALUE(value) OVER (PARTITION BY sensor_id ORDER BY measured_at RANGE BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS final FROM readings ORDER BY sensor_id, measured_at;

SELECT sensor_id, day, peak FROM (SELECT sensor_id, DATE(measured_at) AS day, MAX(value) AS peak, ROW_NUMBER() OVER (PARTITION BY sensor_id ORDER BY MAX(value) DESC, DATE(measured_at)) AS n FROM readings GROUP BY sensor_id, DATE(measured_at)) x WHERE n <= 3 ORDER BY sensor_id, n;

SELECT WEEK(r.measured_at, 3) AS week, AVG(r.value) AS average FROM readings r WHERE r.measured_at >= '2024-01-01' AND r.measured_at < '2025-01-01' AND r.sensor_id = 4 GROUP BY week ORDER BY week;

SELECT a.id, (SELECT r.value FROM readings r WHERE r.sensor_id = a.sensor_id AND r.measured_at <= a.raised_at ORDER BY r.measured_at DESC LIMIT 1) AS value_at_alert FROM alerts a ORDER BY a.id;

SELECT x.sensor_id FROM readings x WHERE x.measured_at = '2024-01-01 00:00:00' AND x.value = (SELECT MAX(y.value) FROM readings y WHERE y.measured_at = x.measured_at) ORDER BY x.sensor_id;
