/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The figures over machines: figures 2.1 and 2.5, tau and W, servers against
 * virtual machines. */
#include <config.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/probe/calibration.h"
#include "experiments/report/chart_layout.h"
#include "experiments/report/report_machine.h"
#include "tests/check.h"
#include "tests/experiments/report/figure_fixture.h"
#include "tests/experiments/run_command.h"
#include "tests/experiments/suites.h"

/* A server and a virtual machine that have permute at 2^20 and 2^21, and what
 * only one of them has. */
static struct summary rows[2][6];
static struct survey surveys[2];
static const struct survey *all[3];
static json_t *records[2];

static struct summary row_of(const char *algo, const char *pages, uint64_t n,
                             double ns, double ratio) {
  struct summary row = figure_row(algo, pages, n);
  row.ns_per_op_min = ns;
  row.ratio_to_4k = ratio;
  row.ratio_lo = ratio - 0.01;
  row.ratio_hi = ratio + 0.01;
  return row;
}

static void set_up(void) {
  static const char *const machines[] = {
      "{\"host_cpu\":\"Iron \\\"I\\\"\",\"vm\":{\"is_vm\":false}}",
      "{\"host_cpu\":\"Cloud\",\"vm\":{\"is_vm\":true,\"hypervisor\":\"KVM\"}}",
  };
  static const char *const own[] = {"heapsort", "introsort"};
  for (size_t i = 0; i < 2; i++) {
    const struct summary made[] = {
        row_of("permute", "4k", 1 << 20, 10 + (double)i, 1),
        row_of("permute", "thp", 1 << 20, 8, 0.8),
        row_of("permute", "4k", 1 << 21, 20 + (double)i, 1),
        row_of("permute", "thp", 1 << 21, 10, 0.7 - 0.2 * (double)i),
        row_of("permute", "2m", i ? 3 << 20 : 1 << 21, 10, 0.6),
        row_of(own[i], "4k", 1 << 20, 5, 1),
    };
    memcpy(rows[i], made, sizeof made);
    records[i] = json_loads(machines[i], 0, NULL);
    survey_init(&surveys[i], rows[i], 6);
    surveys[i].record = records[i];
    surveys[i].all = all;
    all[i] = &surveys[i];
  }
}

static void tear_down(void) {
  for (size_t i = 0; i < 2; i++) {
    survey_fini(&surveys[i]);
    json_decref(records[i]);
  }
}

static bool csv_has(const struct figure *figure, const char *part) {
  char *csv = figure_csv_of(figure, &surveys[0]);
  bool has = figure_text_has(csv, part);
  free(csv);
  return has;
}

static bool has_key(const struct figure *figure, const char *part) {
  struct chart *chart = figure_chart_of(figure, &surveys[0]);
  bool has = figure_has_key(chart, part);
  figure_chart_free(chart);
  return has;
}

static void test_time_is_drawn_once(void) {
  set_up();
  CU_ASSERT_TRUE(figure_has_data(&figure_machines_time, &surveys[0]));
  CU_ASSERT_FALSE(figure_has_data(&figure_machines_time, &surveys[1]));
  char *csv = figure_csv_of(&figure_machines_time, &surveys[0]);
  same_text(csv,
            "machine,title,virtual,program,n,log2_n,ns_per_op_min,lo,hi\n"
            "1,\"Iron \"\"I\"\"\",0,\"permute\",1048576,20.00000,10,,\n"
            "1,\"Iron \"\"I\"\"\",0,\"permute\",2097152,21.00000,20,,\n"
            "2,\"Cloud, a KVM guest\",1,\"permute\",1048576,20.00000,11,,\n"
            "2,\"Cloud, a KVM guest\",1,\"permute\",2097152,21.00000,21,,\n");
  free(csv);
  struct chart *chart = figure_chart_of(&figure_machines_time, &surveys[0]);
  CU_ASSERT_STRING_EQUAL(chart->keys[1].text, "1  Iron \"I\"");
  CU_ASSERT_STRING_EQUAL(chart->keys[2].text, "2  Cloud, a KVM guest");
  CU_ASSERT_EQUAL(figure_y_at(chart->panels[0].series[1], 20), 11);
  figure_chart_free(chart);
  tear_down();
}

/* On the kind that most have; the first of those that tie. */
static void test_bigger_pages(void) {
  set_up();
  CU_ASSERT_TRUE(figure_has_data(&figure_machines_pages, &surveys[0]));
  CU_ASSERT_TRUE(csv_has(&figure_machines_pages,
                         "2,\"Cloud, a KVM guest\",1,\"permute\",2097152,"
                         "21.00000,50,49,51\n"));
  CU_ASSERT_TRUE(has_key(&figure_machines_pages, "transparent huge pages"));
  rows[0][1].ratio_to_4k = rows[0][3].ratio_to_4k = NAN;
  CU_ASSERT_TRUE(has_key(&figure_machines_pages, "2 MiB pages"));
  tear_down();
}

static void test_servers_against_virtual_machines(void) {
  set_up();
  CU_ASSERT_TRUE(figure_has_data(&figure_machines_virtual, &surveys[0]));
  char *csv = figure_csv_of(&figure_machines_virtual, &surveys[0]);
  same_text(
      csv,
      "machine,sort,program,pages,n,percent_of_base,percent_lo,percent_hi\n"
      "\"1  Iron \"\"I\"\"\",\"server\",\"permute\",\"thp\",2097152,70,69,71\n"
      "\"2  Cloud, a KVM guest\",\"virtual machine\",\"permute\",\"thp\","
      "2097152,50,49,51\n");
  free(csv);
  struct chart *chart = figure_chart_of(&figure_machines_virtual, &surveys[0]);
  CU_ASSERT_STRING_EQUAL(chart->panels[0].rows[0], "permute, n = 2097152");
  figure_chart_free(chart);
  rows[1][3].ratio_to_4k = NAN; /* then the largest that both have */
  CU_ASSERT_TRUE(csv_has(&figure_machines_virtual, "1048576,80,79,81\n"));
  json_object_del(records[1], "vm");
  CU_ASSERT_FALSE(figure_has_data(&figure_machines_virtual, &surveys[0]));
  tear_down();
}

static void test_one_machine_is_compared_with_none(void) {
  set_up();
  all[1] = NULL;
  CU_ASSERT_FALSE(figure_has_data(&figure_machines_time, &surveys[0]));
  CU_ASSERT_FALSE(figure_has_data(&figure_machines_pages, &surveys[0]));
  CU_ASSERT_FALSE(figure_has_data(&figure_machines_virtual, &surveys[0]));
  surveys[0].all = NULL;
  CU_ASSERT_FALSE(figure_has_data(&figure_machines_time, &surveys[0]));
  tear_down();
}

static struct calibration calibration_of(json_t *machine, double tau_ns) {
  struct calibration cal = {.machine = machine, .page_count = 2};
  for (size_t i = 0; i < 2; i++) {
    strcpy(cal.pages[i].kind, i ? "thp" : "4k");
    cal.pages[i].tau_ns = (struct cal_value){tau_ns, tau_ns - 1, tau_ns + 1};
    cal.pages[i].tc_nodes = (struct cal_value){64, NAN, NAN};
  }
  cal.pages[1].tc_nodes.value = NAN;
  return cal;
}

/* A machine has the number of its results, or else a letter. */
static void test_tau_and_w(void) {
  set_up();
  json_t *stranger = json_loads("{\"host_cpu\":\"Far \\\"9%\\\"\"}", 0, NULL);
  struct calibration cals[] = {calibration_of(records[1], 30),
                               calibration_of(stranger, 9)};
  const struct calibration *given[] = {&cals[0], &cals[1], NULL};
  CU_ASSERT_FALSE(figure_has_data(&figure_machines_tau, &surveys[0]));
  for (size_t i = 0; i < 2; i++) surveys[i].calibrations = given;
  CU_ASSERT_TRUE(figure_has_data(&figure_machines_tau, &surveys[0]));
  CU_ASSERT_FALSE(figure_has_data(&figure_machines_tau, &surveys[1]));
  char *csv = figure_csv_of(&figure_machines_tau, &surveys[0]);
  same_text(
      csv,
      "machine,pages,tau_ns,tau_lo,tau_hi,tc_nodes,tc_nodes_lo,tc_nodes_hi\n"
      "\"2  Cloud, a KVM guest\",\"4k\",30,29,31,64,,\n"
      "\"2  Cloud, a KVM guest\",\"thp\",30,29,31,,,\n"
      "\"b  Far \"\"9%\"\"\",\"4k\",9,8,10,64,,\n"
      "\"b  Far \"\"9%\"\"\",\"thp\",9,8,10,,,\n");
  free(csv);
  struct chart *chart = figure_chart_of(&figure_machines_tau, &surveys[0]);
  CU_ASSERT_STRING_EQUAL(chart->panels[0].rows[1], "b  Far \"9%\"");
  CU_ASSERT(fabs(chart_row_height(&chart->panels[0], 0, 1) - 1) < 0.5);
  figure_chart_free(chart);
  given[1] = NULL;
  CU_ASSERT_FALSE(figure_has_data(&figure_machines_tau, &surveys[0]));
  json_decref(stranger);
  tear_down();
}

static const struct check_test tests[] = {
    {"times are drawn once, of what two have", test_time_is_drawn_once},
    {"larger pages", test_bigger_pages},
    {"servers against virtual machines", test_servers_against_virtual_machines},
    {"one machine is compared with none",
     test_one_machine_is_compared_with_none},
    {"tau and W", test_tau_and_w},
    {0}};

const struct check_suite suite_figures_machines = {"figures over machines",
                                                   tests, NULL};
